import { type Field, field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { ROLES } from './vocabulary.ts'

/** The name and phone of a profile and a registration. */
export const personFields = {
  first_name: field.name('First name', { required: MESSAGES.firstName, max: 100 }),
  last_name: field.name('Last name', { required: MESSAGES.lastName, max: 100 }),
  phone: field.phone('Phone', { required: MESSAGES.phoneBlank, wrong: MESSAGES.phoneLength }),
}
const email = field.email('Email', { required: MESSAGES.inviteEmailBlank, wrong: MESSAGES.inviteEmail })
const company = field.text('Company', {})

/** The fields of one's own account. */
export const accountFields = { ...personFields, email, company }

/** An invited user may lack it until the registration, and a user without it stays so. */
const mayLack = <const N extends string, const F extends Field>(name: N, field: F) => ({
  ...field,
  mayLack: (user: Readonly<Record<string, unknown>>) => user.status === 'invited' || !user[name],
})
/** The fields of a user, as administrators edit them. */
export const userFields = {
  first_name: mayLack('first_name', personFields.first_name),
  last_name: mayLack('last_name', personFields.last_name),
  phone: mayLack('phone', personFields.phone),
  email,
  birth_date: field.day('Birth date', { nullable: true }),
  role: field.choice('Role', { options: ROLES }),
  company_id: field.record('Client', {
    of: 'client',
    nullable: true,
    when: ({ role }) => role === 'client',
    was: 'client',
  }),
  company: { ...company, label: 'Company, as they entered it' },
}

const ofClient = ({ role_id }: Readonly<Record<string, unknown>>) => role_id === 'client'
/** The fields of an invitation. Client comes first, because it has the fewest rights. */
export const inviteFields = {
  email: { ...email, hint: 'Separate several with commas, or paste them with names.' },
  first_name: field.name('First name', { max: 100, usual: '', hint: 'They can fill this in themselves.' }),
  last_name: field.name('Last name', { max: 100, usual: '' }),
  role_id: field.choice('Role', {
    required: MESSAGES.inviteRole,
    usual: 'client',
    was: 'role',
    options: [
      { value: 'client', label: 'Client', detail: 'Sees the projects of their clients.' },
      { value: 'admin', label: 'Administrator', detail: 'Sees everything. Belongs to no client.' },
    ],
  }),
  client_id: field.record('Client', {
    of: 'client',
    required: MESSAGES.inviteClient,
    placeholder: 'Choose a client',
    when: ofClient,
    was: 'client',
  }),
  team_ids: field.records('Teams', {
    of: 'team',
    most: 100,
    when: ofClient,
    was: 'teams',
    hint: 'Optional. They see the projects of these teams.',
  }),
}

/** The field of a forgotten password. */
export const forgotFields = {
  email: field.email('Email', { required: MESSAGES.forgotEmailBlank, wrong: MESSAGES.forgotEmail }),
}

/** The fields of a request for an account; phone numbers of other countries are taken. */
export const accountRequestFields = {
  name: field.name('Name', { required: MESSAGES.requestName }),
  company: field.text('Company', { required: MESSAGES.requestCompany }),
  email: field.email('Email', { required: MESSAGES.requestEmailBlank, wrong: MESSAGES.requestEmail }),
  phone: field.phone('Phone', { required: MESSAGES.requestPhoneBlank, wrong: MESSAGES.requestPhone, most: 15 }),
}
