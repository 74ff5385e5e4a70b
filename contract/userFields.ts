import { accountFields, personFields } from './accountFields.ts'
import { type Field, field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { ROLES } from './vocabulary.ts'

const { email, company } = accountFields

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
  birth_date: field.day('Birth date', { nullable: true, example: '1985-03-04' }),
  role: field.choice('Role', { options: ROLES }),
  company_id: field.record('Client', {
    about: 'The person’s first client.',
    of: 'client',
    nullable: true,
    where: 'if role is client',
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
    placeholder: MESSAGES.chooseClient,
    when: ofClient,
    where: 'if role_id is client',
    was: 'client',
  }),
  team_ids: field.records('Teams', {
    of: 'team',
    most: 100,
    when: ofClient,
    where: 'if role_id is client',
    was: 'teams',
    hint: 'Optional. They see the projects of these teams.',
  }),
}
