import type { Input } from '../../../contract/calls.ts'
import { tokenFields } from '../../../contract/credentialFields.ts'
import { compareText } from '../../../contract/foldText.ts'
import { nounsWith, wordOf } from '../../../contract/nounOf.ts'
import { RIGHT_IDS, RIGHTS } from '../../../contract/rights.ts'
import type { Api } from '../../data/api.ts'
import { ask, command } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import type { Option } from '../subject.ts'
import { expiryAsks, lastDayOf, shownOnceText } from './lastDay.ts'

/** Nouns without a scope of their own: a person's own ones, and those that look across all others. */
const CLOSED = new Set(['key', 'token', 'session', 'job', 'import', 'mail', 'notice', 'desk', 'fileLine', 'campaign', 'award'])
const plural = (noun: string) => {
  const word = wordOf(noun, true)
  return `${word[0]!.toUpperCase()}${word.slice(1)}`
}
/** Returns a scope for reading and one for changing each kind of record. */
const scopes = (): readonly Option[] =>
  nounsWith(({ words, of }) => words !== undefined && of === undefined)
    .filter((noun) => !CLOSED.has(noun))
    .flatMap((noun) => [
      { value: `${noun}:read`, label: `${plural(noun)}: read` },
      { value: `${noun}:write`, label: `${plural(noun)}: read and change` },
    ])
    .concat([
      { value: 'runtime:read', label: 'Results: read' },
      { value: 'runtime:write', label: 'Results: read and send' },
    ])
    .sort((one, other) => compareText(one.label, other.label))

/** The rights that no other scope includes. */
const rights = (): readonly Option[] => RIGHT_IDS.map((value) => ({ value, label: RIGHTS[value].label }))

const asks = {
  ...asksOf(tokenFields),
  // The narrowest access comes first.
  opens: ask.option({
    label: 'Opens',
    options: [
      { value: 'some', label: 'Chosen kinds of records' },
      { value: '*:read', label: 'Everything, to read' },
      { value: '*:write', label: 'Everything, to read and change', detail: 'but not who may do what' },
    ],
  }),
  scopes: ask.several({ label: 'Kinds of records', options: scopes, when: ({ opens }) => opens === 'some' }),
  // Enter twice in a list of rights would give the first one.
  may: ask.option({
    label: 'Changes who may do what',
    when: ({ opens }) => opens !== '*:read',
    options: [
      { value: 'no', label: 'No' },
      { value: 'some', label: 'Chosen rights' },
    ],
  }),
  rights: ask.several({ label: 'Rights', options: rights, when: ({ may }) => may === 'some' }),
  limit: ask.option({
    label: 'Limited to',
    options: [
      { value: 'clients', label: 'Chosen clients' },
      { value: 'projects', label: 'Chosen projects', detail: 'with their children' },
      { value: 'none', label: 'Everything: all that you see' },
    ],
  }),
  clients: ask.entities({ kind: 'client', label: 'Clients', min: 1, when: ({ limit }) => limit === 'clients' }),
  projects: ask.entities({
    kind: ['project', 'campaign'],
    label: 'Projects',
    min: 1,
    when: ({ limit }) => limit === 'projects',
  }),
  ...expiryAsks,
}

interface Answers {
  name: string
  opens: string
  scopes: string[] | undefined
  rights: string[] | undefined
  clients: number[] | undefined
  projects: number[] | undefined
  expires: string
  expires_on: string | undefined
}

/** Creates a token and shows it once. */
async function make(api: Api, kind: Input<'token.create'>['kind'], answers: Answers) {
  const { name, opens, scopes = [], rights = [], clients, projects } = answers
  const { data } = await api.write('token.create', {
    ...{ name, kind, clients, projects, expires_on: lastDayOf(answers) },
    scopes: [...(opens === 'some' ? scopes : [opens]), ...rights],
  })
  return { dialog: { title: `Token “${data.name}”`, body: shownOnceText('token', data.reach), copy: data.token } }
}

/** Tokens of programs. */
export const tokenCommands = {
  'token.create': command({
    title: 'New token…',
    on: 'nothing',
    group: 'add',
    icon: 'key',
    keywords: 'api personal program',
    undo: 'restores',
    asks,
    run: ({ api, answers }) => make(api, 'personal', answers),
  }),
  'token.createService': command({
    title: 'New service token…',
    on: 'nothing',
    group: 'add',
    icon: 'key',
    keywords: 'api program bot create',
    undo: 'restores',
    asks,
    run: ({ api, answers }) => make(api, 'service', answers),
  }),
  'token.revoke': command({
    title: 'Revoke this token',
    on: 'token',
    icon: 'x',
    danger: true,
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Revoke “${subjects[0]!.name}”?`,
      body: 'Programs that use it are refused immediately.',
      action: 'Revoke',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('token.revoke', { id: subject.id })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof tokenCommands> {}
}
