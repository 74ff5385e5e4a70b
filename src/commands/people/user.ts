import { isolateBidi } from '../../../contract/bidi.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { inviteFields, userFields } from '../../../contract/userFields.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import { browserStore } from '../../data/browserStore.ts'
import { HOME, href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { addressesFault, readAddresses } from '../emailAddresses.ts'
import { answered, asksOf, editAsksOf } from '../fieldAsks.ts'
import { clientsOf, hasNoClient, teamsOf } from '../memberships.ts'
import { recordOf, type Subject } from '../subject.ts'
import { effectLines, effectSentence } from '../teamEffect.ts'
import { either, listed, lockOf } from '../words.ts'

/** The client of this browser's last invitation. */
const LAST_CLIENT = 'invited.client'
const lastInvited = (): number | undefined => {
  const id = browserStore.get(LAST_CLIENT)
  return typeof id === 'number' ? id : undefined
}

/** Formats records: "“West”", "3 teams". */
const quoted = (records: readonly { name: string }[], many: string): string =>
  records.length === 1 ? `“${isolateBidi(records[0]!.name)}”` : `${records.length} ${many}`

type Left = readonly { name: string; teams: readonly { name: string }[] }[]
/** Says what a new administrator leaves, before the change or after it; only a dry run knows what it is. */
function promotedWords(left: Left | null, name?: string): string {
  const teams = left?.flatMap((client) => client.teams) ?? []
  const what = left
    ? `${quoted(left, 'clients')}${teams.length ? ` and ${quoted(teams, 'teams')}` : ''}`
    : 'their clients and teams'
  if (name) return `${name} is an administrator${left?.length ? ` and left ${what}` : ''}`
  return left && !left.length
    ? 'They see everything. They are on no client and no team.'
    : `They see everything, and leave ${what}.`
}

/** Returns the teams a user joins and leaves to be in exactly the chosen ones. */
function changeOfTeams(user: Subject, chosen: readonly number[] = []) {
  const on = teamsOf(user).map(({ id }) => id)
  return {
    user_id: user.id,
    join_ids: chosen.filter((id) => !on.includes(id)),
    leave_ids: on.filter((id) => !chosen.includes(id)),
  }
}
const changesNothing = ({ join_ids, leave_ids }: ReturnType<typeof changeOfTeams>) => !join_ids.length && !leave_ids.length

const invites = asksOf(inviteFields)
const edits = editAsksOf(userFields)
/** Returns the input of an edit, without what wasn’t answered. A blank birth date is none. */
function edited(user: Subject, answers: RawAnswers) {
  const { birth_date, company_id, ...fields } = answered(userFields, answers)
  const sent = Object.entries(fields).filter(([name]) => answers[name] !== undefined)
  return {
    ...{ id: user.id, ...lockOf(user.record), birth_date, ...Object.fromEntries(sent) },
    ...(answers.role === 'client' ? { company_id } : {}),
  }
}
const promotes = (user: Subject | undefined, role: string | undefined): boolean =>
  role === 'admin' && recordOf(user, 'user').role === 'client'

/** Users and invitations (people-area 5 and 6, decisions.md 6). */
export const userCommands = {
  'user.invite': command({
    title: 'Invite a user…',
    detail: 'or several, by email',
    on: 'nothing',
    group: 'add',
    keywords: 'add invitation person people several paste',
    icon: 'mail',
    delay: true,
    asks: {
      email: ask.text({
        label: inviteFields.email.label,
        placeholder: 'ana@acme.test, Ben Diaz <ben@acme.test>',
        check: (text: string) => addressesFault(readAddresses(text)),
      }),
      role_id: { ...invites.role_id, prefill: () => inviteFields.role_id.usual },
      client_id: ask.entity({ ...invites.client_id, prefill: () => lastInvited() }),
      team_ids: ask.entities({
        ...invites.team_ids,
        amongOf: 'client_id',
        among: async (api, _subjects, _workspace, client) =>
          client
            ? (await api.read('team.list', { client_id: Number(client), per_page: 100 })).data.map((team) => ({
                value: String(team.id),
                label: team.name,
              }))
            : [],
      }),
    },
    confirm: (_subjects, answers) => {
      const people = readAddresses(answers.email ?? '')
      const [first] = people
      return {
        title: people.length > 1 ? `Invite ${people.length} people?` : `Invite ${first?.email ?? 'somebody'}?`,
        body: `${people.length > 1 ? `${people.map((person) => person.email).join(', ')}. Each gets` : 'They get'} an email with a link to set a password.`,
        action: 'Invite',
      }
    },
    async run({ api, answers }) {
      const people = readAddresses(answers.email).map(({ bad: _, ...person }) => person)
      const { message } = await api.write('user.inviteMany', {
        people,
        role_id: answers.role_id,
        ...(answers.role_id === 'client' && answers.client_id
          ? { client_id: answers.client_id, team_ids: (answers.team_ids ?? []).map(Number) }
          : {}),
      })
      if (answers.client_id) browserStore.set(LAST_CLIENT, Number(answers.client_id))
      return { message }
    },
  }),
  'user.edit': command({
    title: 'Edit user…',
    on: 'user',
    icon: 'pencil',
    keywords: 'name phone email birth date age role client company',
    undo: 'restores',
    asks: { ...edits, company: ask.text({ ...edits.company, usual: true }) },
    confirmIf: ([user], answers) => promotes(user, answers.role),
    confirm: ([user]) => ({
      title: `Make ${user ? listed([user]) : 'them'} an administrator?`,
      body: promotedWords(null),
      action: 'Make administrator',
    }),
    async foresees({ api, subjects: [user], answers, signal }) {
      if (!user || !promotes(user, answers.role)) return null
      const { left = [] } = await api.dryRun('user.edit', edited(user, answers), signal)
      return {
        body: promotedWords(left),
        lines: left.map((client) => ({
          label: client.name,
          value: client.teams.length ? `and its teams ${client.teams.map((team) => team.name).join(', ')}` : 'on no team',
        })),
      }
    },
    async run({ api, subject, answers }) {
      const { left, message } = await api.write('user.edit', edited(subject, answers))
      const name = isolateBidi(`${answers.first_name} ${answers.last_name}`.trim())
      return { message: andThen(message, left?.length ? promotedWords(left, name) : '') }
    },
  }),
  'user.teams': command({
    title: 'Change teams…',
    detail: 'add to teams and remove from them',
    on: 'user',
    rule: 'user.setTeams',
    keywords: 'team membership join leave add remove access',
    icon: 'team',
    undo: 'restores',
    disabledReason: (_workspace, [user]) => (hasNoClient(user) ? 'they belong to no client' : null),
    asks: {
      teams: ask.entities({
        kind: 'team',
        label: 'Teams',
        optional: true,
        prefill: ([user]) => user && teamsOf(user).map(({ id }) => id),
        async among(api, [user]) {
          if (!user) return []
          const lists = await Promise.all(
            clientsOf(user).map(({ id }) => api.read('team.list', { client_id: id, per_page: 500 })),
          )
          return lists
            .flatMap(({ data }) => data)
            .map(({ id, name, client_name, projects_count }) => ({
              value: String(id),
              label: name,
              detail: `${client_name}, ${projects_count} ${projects_count === 1 ? 'project' : 'projects'}`,
            }))
        },
      }),
    },
    confirm: ([user]) => ({
      title: `Change the teams of ${user ? listed([user]) : 'this user'}?`,
      body: 'What they see follows their teams.',
      action: 'Change',
    }),
    async foresees({ api, subjects: [user], answers, signal }) {
      const input = changeOfTeams(user!, answers.teams)
      if (changesNothing(input)) return { body: 'Their teams stay as they are.' }
      const { data, effect } = await api.dryRun('user.setTeams', input, signal)
      return {
        body: effectSentence(effect, 'before'),
        lines: [
          ...data.joined.map(({ name }) => ({ label: name, value: 'added' })),
          ...data.left.map(({ name }) => ({ label: name, value: 'removed', bad: true })),
        ],
      }
    },
    async run({ api, subject, answers }) {
      const input = changeOfTeams(subject, answers.teams)
      if (changesNothing(input)) return { note: `The teams of ${listed([subject])} stay as they are.` }
      const { message, effect } = await api.write('user.setTeams', input)
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'user.services': command({
    title: 'Visitation services…',
    detail: 'give access and remove it',
    on: 'user',
    many: true,
    keywords: 'visitation brand access see give take same as',
    icon: 'visits',
    undo: 'needless',
    run: ({ workspace, subjects }) => workspace.servicesOf(subjects),
  }),
  'user.addToClients': command({
    title: 'Add to clients…',
    on: 'user',
    many: true,
    keywords: 'client membership join access',
    icon: 'client',
    undo: 'restores',
    asks: { clients: ask.entities({ kind: 'client', label: 'Clients' }) },
    excludes: (user, { clients = [] }) => {
      const at = clientsOf(user).map(({ id }) => id)
      return clients.length && clients.every((id) => at.includes(id)) ? 'already a user there' : null
    },
    confirm: (subjects, { clients = [] }) => ({
      title: `Add ${listed(subjects)} to ${clients.length === 1 ? 'a client' : `${clients.length} clients`}?`,
      body: 'They can then see the projects that have no team.',
      action: 'Add',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const input = { client_ids: answers.clients, user_ids: subjects.map(({ id }) => id) }
      const { effect } = await api.dryRun('client.addUser', input, signal)
      return { body: effectSentence(effect, 'before'), lines: effectLines(effect) }
    },
    async run({ api, subjects, answers }) {
      const input = { client_ids: answers.clients, user_ids: subjects.map(({ id }) => id) }
      const { message, effect } = await api.write('client.addUser', input)
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'user.editField': bulkEditOf('user', userFields, { except: ['role'] }),
  'user.remove': command({
    title: 'Delete user',
    on: 'user',
    danger: true,
    many: true,
    undo: 'restores',
    icon: 'trash',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: 'They are signed out and can’t sign in again. The history keeps what they did.',
      action: 'Delete',
    }),
    each: {
      done: 'user.remove',
      one: ({ api, subject, signal }) => api.write('user.remove', { id: subject.id }, { signal }),
    },
  }),
  'user.resendActivation': command({
    title: 'Resend activation',
    on: 'user',
    keywords: 'invitation email again',
    icon: 'mail',
    many: true,
    delay: true,
    review: (subjects) => ({
      title: `Resend the activation email to ${listed(subjects)}?`,
      body: either(subjects, 'Its link works only for them.', 'Each gets a link that works only for them.'),
      action: 'Send',
    }),
    each: {
      done: 'user.resendActivation',
      answers: true,
      one: ({ api, subject, signal }) =>
        api.write('user.resendActivation', { email: String(subject.record?.email ?? '') }, { signal }),
    },
  }),
  'user.resetPassword': command({
    title: 'Send a temporary password',
    on: 'user',
    keywords: 'reset',
    icon: 'key',
    many: true,
    delay: true,
    confirm: (subjects) => ({
      title: `Reset the ${either(subjects, 'password', 'passwords')} of ${listed(subjects)}?`,
      body: either(
        subjects,
        'They get a temporary password by email. It expires after 72 hours and must be changed at the next sign-in.',
        'Each gets a temporary password by email. It expires after 72 hours and must be changed at the next sign-in.',
      ),
      action: either(subjects, 'Reset password', 'Reset passwords'),
    }),
    each: {
      done: 'user.resetPassword',
      answers: true,
      one: ({ api, subject, signal }) => api.write('user.resetPassword', { id: subject.id }, { signal }),
    },
  }),
  'user.approveEmail': command({
    title: 'Approve the new email',
    on: 'user',
    keywords: 'address confirm second administrator',
    icon: 'check',
    irreversible: true,
    review: ([user]) => ({
      title: `Approve the new email of ${listed([user!])}?`,
      body: `${user!.record?.pending_email ?? 'It'} gets a link that confirms it, and opens the account from then on.`,
      action: 'Approve',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('user.approveEmail', { id: subject.id })
      return { message }
    },
  }),
  'user.resendEmail': command({
    title: 'Send the link for the new email again',
    on: 'user',
    keywords: 'address confirm letter',
    icon: 'mail',
    irreversible: true,
    async run({ api, subject }) {
      const { message } = await api.write('user.resendEmail', { id: subject.id })
      return { message }
    },
  }),
  'user.cancelEmail': command({
    title: 'Cancel the new email',
    on: 'user',
    keywords: 'address confirm',
    icon: 'x',
    undo: 'restores',
    async run({ api, subject }) {
      const { message } = await api.write('user.cancelEmail', { id: subject.id })
      return { message }
    },
  }),
  'user.history': command({
    title: 'Show history',
    detail: 'what they did, their sign-ins and rights',
    on: 'user',
    keywords: 'audit log sign-ins',
    icon: 'list',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('wholeHistory', {}, { query: { person: subject.id } }), 'tab'),
  }),
  'session.actAs': command({
    title: 'Act as this user…',
    on: 'user',
    keywords: 'switch impersonate',
    undo: 'needless',
    icon: 'mask',
    asks: {
      reason: ask.text({
        label: 'Reason',
        recalls: true,
        placeholder: 'Kept in the history',
        check: (text: string) => (text.trim().length >= 3 ? null : MESSAGES.actAsReason),
      }),
    },
    confirm: (subjects) => ({
      title: `Act as ${listed(subjects)}?`,
      body: 'For 30 minutes you can see and do what they can. The history names both of you.',
      action: 'Act as them',
    }),
    async run({ api, subject, answers }) {
      await api.write('session.actAs', { id: subject.id, reason: answers.reason })
      location.assign(HOME)
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof userCommands> {}
}
