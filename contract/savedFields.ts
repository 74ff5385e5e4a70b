import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/* What people save under a name. */

export const viewFields = {
  name: field.name('Name', { required: MESSAGES.viewName, max: 60, placeholder: 'Waiting for approval' }),
}
export const filterFields = {
  filter_name: field.name('Name', { required: MESSAGES.visitFilterName, max: 80, placeholder: 'Top 25, last week' }),
}
export const templateFields = { name: field.name('Template name', { required: MESSAGES.templateName }) }
