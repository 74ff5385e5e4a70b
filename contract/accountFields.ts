import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The name and phone of a profile and a registration. */
export const personFields = {
  first_name: field.name('First name', { required: MESSAGES.firstName, max: 100 }),
  last_name: field.name('Last name', { required: MESSAGES.lastName, max: 100 }),
  phone: field.phone('Phone', { required: MESSAGES.phoneBlank, wrong: MESSAGES.phoneLength }),
}
const email = field.email('Email', { own: true, required: MESSAGES.inviteEmailBlank, wrong: MESSAGES.inviteEmail })
const company = field.text('Company', {})

/** The fields of one's own account. */
export const accountFields = { ...personFields, email, company }

/** The field of a forgotten password. */
export const forgotFields = {
  email: field.email('Email', { required: MESSAGES.forgotEmailBlank, wrong: MESSAGES.emailField }),
}

/** The fields of a request for an account; phone numbers of other countries are taken. */
export const accountRequestFields = {
  name: field.name('Name', { required: MESSAGES.requestName }),
  company: field.text('Company', { required: MESSAGES.requestCompany }),
  email: field.email('Email', { required: MESSAGES.requestEmailBlank, wrong: MESSAGES.emailField }),
  phone: field.phone('Phone', { required: MESSAGES.requestPhoneBlank, wrong: MESSAGES.requestPhone, most: 15 }),
}
