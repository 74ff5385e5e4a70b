import { clientFields } from '../../../contract/clientFields.ts'
import { quotedName } from '../../../contract/writeEffects.ts'
import { href } from '../../routing/routes.ts'
import { type NewForm, newPane } from '../shared/form/declaredForm.tsx'

/** A new client; its success dialog leads to the list of clients (people-area 2). */
const form: NewForm<'client', typeof clientFields, null> = {
  noun: 'client',
  fields: clientFields,
  of: null,
  useSpecial: () => ({
    form: {
      saved: ({ data }) => ({
        name: `${quotedName(data.name)} has no users yet. Next, invite them and request its first project.`,
        leads: href('clients'),
      }),
    },
    send: 'Add client',
  }),
}
export const pane = newPane(form)
