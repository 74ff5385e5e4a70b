import type { SubjectKind } from './nouns.ts'
import { REWARD_STATUSES, ROLES } from './vocabulary.ts'

/**
 * What a column holds, which decides how it sorts and what a file shows.
 * `text` sorts regardless of case. `figure` is a number. `money` is cents here and dollars in a file.
 * `code`, `word` (one of a few), `address` (lower-case email), `day` and `moment` (date and time) sort as they are.
 */
export type ColumnKind = 'code' | 'text' | 'address' | 'word' | 'figure' | 'money' | 'day' | 'moment'

interface More {
  /** Its name in a file, if different; null if no export has it. */
  readonly file?: string | null
  /** The list can't be sorted by it. */
  readonly sort?: false
  /** Labels of its values, on the screen and in a file. */
  readonly words?: Readonly<Record<string, string>>
}
/** A column: the kind of its values, and its heading. */
export interface ListColumn extends More {
  readonly kind: ColumnKind
  readonly header: string
}

const column =
  <const K extends ColumnKind>(kind: K) =>
  <const M extends More = Record<never, never>>(header: string, more?: M): { kind: K; header: string } & M =>
    ({ kind, header, ...more }) as { kind: K; header: string } & M
const [code, text, address, word, figure, money, day, moment] = [
  column('code'),
  column('text'),
  column('address'),
  column('word'),
  column('figure'),
  column('money'),
  column('day'),
  column('moment'),
]

/** A noun's list, shared by its contract, the server's list builder, its export and its screen. */
export interface ListRow {
  /** The call that reads it; its access rule and filters also apply to exporting and selecting all of it. */
  readonly call: string
  /** Columns that a search looks in, if it looks nowhere else. */
  readonly search?: readonly string[]
  /** The default sort column; a leading minus always sorts it descending. */
  readonly usual: string
  /** Columns by id, in the order of an export. */
  readonly columns: Readonly<Record<string, ListColumn>>
  /** Its name for exports and for selecting all matches. */
  readonly name: string
  /** It can be exported. */
  readonly exports?: true
  /** Fields of its read that commands need, beside name and rules, when all matches are selected. */
  readonly selects?: readonly string[]
}

const wordsOf = <V extends string>(terms: readonly { readonly value: V; readonly label: string }[]) =>
  Object.fromEntries(terms.map(({ value, label }) => [value, label])) as Record<V, string>

/** The lists of nouns, for everything beyond the first screen; nouns.ts has what the first screen needs. */
export const lists = {
  client: {
    call: 'client.list',
    name: 'clients',
    search: ['name'],
    usual: 'name',
    columns: {
      id: code('ID'),
      name: text('Client', { file: 'Name' }),
      users_count: figure('Users'),
      projects_count: figure('Projects'),
      campaigns_count: figure('Survey projects'),
      teams_count: figure('Teams'),
      created_at: day('Since', { file: 'Created' }),
    },
    exports: true,
    selects: ['lock_version'],
  },
  user: {
    call: 'user.list',
    name: 'users',
    usual: 'name',
    columns: {
      id: code('ID'),
      name: text('Name', { file: null }),
      first_name: text('First name'),
      last_name: text('Last name'),
      email: address('Email'),
      phone: code('Phone', { sort: false }),
      birth_date: day('Born', { sort: false, file: null }),
      company: text('Company', { sort: false }),
      role: word('Role', { words: wordsOf(ROLES) }),
      status: word('Status'),
      company_name: text('Client', { file: 'Clients' }),
      last_seen_at: moment('Last seen'),
      created_at: day('Created'),
    },
    exports: true,
    selects: ['email', 'first_name', 'last_name', 'phone', 'status', 'role', 'lock_version'],
  },
  partner: {
    call: 'partner.list',
    name: 'partners',
    search: ['name', 'email'],
    usual: 'name',
    columns: {
      id: code('ID'),
      name: text('Name'),
      email: address('Email'),
      phone: code('Phone', { sort: false }),
      projects_count: figure('Projects'),
      proffers_count: figure('Proffers'),
      created_at: day('Created'),
    },
  },
  team: {
    call: 'client.teams',
    name: 'teams',
    search: ['name'],
    usual: 'name',
    columns: {
      id: code('ID'),
      name: text('Team', { file: 'Name' }),
      client: text('Client', { sort: false }),
      users_count: figure('Users'),
      projects_count: figure('Projects'),
      created_at: day('Since', { file: 'Created' }),
    },
    exports: true,
  },
  group: {
    call: 'client.groups',
    name: 'groups',
    search: ['name'],
    usual: 'name',
    columns: {
      id: code('ID'),
      name: text('Target location list', { file: 'Name' }),
      client: text('Client', { sort: false }),
      locations_count: figure('Places'),
      created_at: day('Made', { file: 'Created' }),
    },
    exports: true,
  },
  entry: {
    call: 'entry.list',
    name: 'entries',
    usual: '-created_at',
    columns: {
      id: code('ID'),
      project: text('Project'),
      email: address('Email'),
      ip: code('IP address', { file: 'IP' }),
      reward: text('Reward', { sort: false }),
      amount: money('Amount'),
      provider: word('Provider', { sort: false }),
      status: word('Status', { words: wordsOf(REWARD_STATUSES) }),
      note: text('Note', { sort: false, file: 'Reason' }),
      second_chances: figure('Second chances', { sort: false }),
      created_at: moment('Earned', { file: 'Created' }),
      sent_at: moment('Sent'),
    },
    exports: true,
    selects: ['project_id', 'amount_cents', 'status', 'amount_flag', 'email_counter', 'ipaddress_counter', 'lock_version'],
  },
  job: {
    call: 'job.list',
    name: 'jobs',
    search: ['title'],
    usual: '-id',
    columns: {
      id: code('ID', { sort: false }),
      title: text('Job'),
      status: word('Status', {
        words: { queued: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
      }),
      progress: figure('Progress', { sort: false, file: 'Done' }),
      total: figure('Of', { sort: false }),
      result: text('Result', { sort: false }),
      by: text('Started by'),
      created_at: moment('Started'),
      ended_at: moment('Ended', { sort: false }),
    },
    exports: true,
  },
  mail: {
    call: 'outbox.list',
    name: 'mails',
    search: ['to_address', 'subject', 'about'],
    usual: '-created_at',
    columns: {
      id: code('ID'),
      subject: text('Mail'),
      to_address: address('To'),
      status: word('Status', {
        words: {
          queued: 'Waiting',
          sending: 'Being sent',
          sent: 'Sent',
          outbox: 'Not sent',
          failed: 'Failed',
          withdrawn: 'Cancelled',
        },
      }),
      about: text('About', { sort: false }),
      attempts: figure('Tried'),
      error: text('Error', { sort: false }),
      created_at: moment('Written'),
      sent_at: moment('Sent', { sort: false }),
    },
    exports: true,
  },
} as const satisfies Readonly<Partial<Record<SubjectKind, ListRow>>>

type Lists = typeof lists
/** Nouns that have a list in this table. */
export type ListNoun = keyof Lists
/** A column id of a noun's list. */
export type ColumnOf<N extends ListNoun> = keyof Lists[N]['columns'] & string
/** A column the list can be sorted by. */
export type SortOf<N extends ListNoun> = {
  [C in ColumnOf<N>]: Lists[N]['columns'][C] extends { sort: false } ? never : C
}[ColumnOf<N>]
/** A column the list's export has. */
export type FileColumnOf<N extends ListNoun> = {
  [C in ColumnOf<N>]: Lists[N]['columns'][C] extends { file: null } ? never : C
}[ColumnOf<N>]

type Selectable = { [N in ListNoun]: Lists[N] extends { selects: unknown } ? Lists[N]['name'] : never }[ListNoun]
/** The names of the lists in which all matches can be selected. */
export const selectable = Object.values<ListRow>(lists).flatMap(({ name, selects }) => (selects ? [name] : [])) as [
  Selectable,
  ...Selectable[],
]

/** Nouns whose lists can be exported. */
export type ExportedNoun = { [N in ListNoun]: Lists[N] extends { exports: true } ? N : never }[ListNoun]
/** The noun whose list has this name; undefined if none has. */
export const nounNamed = (name: string): ListNoun | undefined =>
  (Object.keys(lists) as ListNoun[]).find((noun) => lists[noun].name === name)
/** Labels of a `word` column's values. */
export type WordsOf<N extends ListNoun, C extends ColumnOf<N>> = Lists[N]['columns'][C] extends { words: infer W } ? W : never
/** The values of a `word` column in order, for the schemas of calls. */
export const valuesOf = <N extends ListNoun, C extends ColumnOf<N>>(noun: N, column: C) =>
  Object.keys((lists[noun].columns as Readonly<Record<string, ListColumn>>)[column]?.words ?? {}) as [
    keyof WordsOf<N, C> & string,
    ...(keyof WordsOf<N, C> & string)[],
  ]

/** The columns a noun's list can be sorted by, for the input of its calls. */
export const sortsOf = <N extends ListNoun>(noun: N): [SortOf<N>, ...SortOf<N>[]] =>
  Object.entries<ListColumn>(lists[noun].columns).flatMap(([id, { sort }]) => (sort === false ? [] : [id])) as [
    SortOf<N>,
    ...SortOf<N>[],
  ]

/** Headings of a noun's export by column id, in order. */
export const fileColumnsOf = <N extends ListNoun>(noun: N): Record<FileColumnOf<N>, string> =>
  Object.fromEntries(
    Object.entries<ListColumn>(lists[noun].columns).flatMap(([id, { header, file = header }]) =>
      file === null ? [] : [[id, file]],
    ),
  ) as Record<FileColumnOf<N>, string>

/** A noun's list as its screen registers it: its export name and columns, and whether all matches can be selected. */
export const listed = <N extends ListNoun>(noun: N) => {
  const { name, selects }: ListRow = lists[noun]
  return { source: name, columns: fileColumnsOf(noun), selects: selects !== undefined }
}
