/**
 * One noun: what both sides need to know of it beside its calls, its access rules and its handlers. Plain data. Ids of
 * routes and calls are text because this table is below both; a test checks each against its table.
 */
export interface NounRow {
  /**
   * What people call one, and several. A noun without words is not a record: it is a prefix of calls, or exists for
   * live updates only.
   */
  words?: readonly [one: string, many: string]
  /** By its name in the icons table (src/runner/icons.tsx). */
  icon?: string
  /** What its id is written with: P-4812. */
  code?: string
  /** The route of one record, by `{id}`. */
  screen?: string
  /** The route of the list that finds a record by its id, where it has no screen of its own. */
  listed?: string
  /** The sidebar's section that its screens belong to. */
  section?: 'projects' | 'visitation' | 'settings' | 'v3'
  /** The call that reads one record by its id, with what may be done to it. */
  reads?: string
  /** The noun that its events and history lines are told as: another spelling, or a part of it. */
  of?: string
  /** Further nouns whose records its calls read and write. */
  also?: readonly string[]
  /** What its reads show of other nouns: names, counts and figures. A change of one makes them stale. */
  shows?: readonly string[]
  /** What single reads show beyond that, by their verb. */
  showsIn?: Readonly<Record<string, readonly string[]>>
  /**
   * The palette finds its records by name. `detail`: the noun whose name is shown in the second line; `coded`: they are
   * found by their code; `scope`: only administrators find them.
   */
  found?: { readonly detail?: 'client' | 'project'; readonly coded?: true; readonly scope?: 'admin' }
}

/** The nouns table. A call's id begins with one of these, live events and history lines name them, commands act on those that have words. */
export const nouns = {
  project: {
    words: ['project', 'projects'],
    icon: 'project',
    code: 'P-',
    screen: 'project',
    section: 'projects',
    reads: 'project.get',
    shows: ['client', 'team'],
    showsIn: {
      get: ['file', 'activity', 'target', 'survey', 'location', 'partner', 'user'],
      history: ['history', 'note', 'proffer', 'entry', 'file', 'activity', 'survey', 'target', 'user'],
      proffers: ['proffer', 'partner'],
    },
    found: { detail: 'client', coded: true },
  },
  /** A project of the older generation: the same table. */
  campaign: {
    words: ['survey project', 'survey projects'],
    icon: 'project',
    code: 'P-',
    screen: 'surveyProject',
    section: 'projects',
    reads: 'campaign.get',
    of: 'project',
    shows: ['client', 'team', 'user'],
    found: { coded: true },
  },
  client: {
    words: ['client', 'clients'],
    icon: 'client',
    code: 'C-',
    screen: 'client',
    section: 'settings',
    reads: 'client.get',
    shows: ['project', 'user', 'team', 'location'],
    found: {},
  },
  user: {
    words: ['user', 'users'],
    icon: 'user',
    listed: 'usersInfo',
    section: 'settings',
    reads: 'user.get',
    shows: ['client', 'team'],
    found: { detail: 'client', scope: 'admin' },
  },
  partner: {
    words: ['partner', 'partners'],
    icon: 'partner',
    listed: 'partners',
    section: 'settings',
    reads: 'partner.get',
    shows: ['project'],
    found: { scope: 'admin' },
  },
  team: {
    words: ['team', 'teams'],
    icon: 'team',
    screen: 'team',
    section: 'settings',
    found: { detail: 'client', scope: 'admin' },
  },
  survey: {
    words: ['survey', 'surveys'],
    icon: 'list',
    screen: 'survey',
    section: 'v3',
    shows: ['project', 'activity'],
    found: { detail: 'project', scope: 'admin' },
  },
  view: { words: ['saved view', 'saved views'], icon: 'bookmark', found: {} },
  activity: {
    words: ['activity', 'activities'],
    screen: 'activity',
    section: 'projects',
    shows: ['project', 'survey', 'target'],
  },
  target: { words: ['target', 'targets'] },
  note: { words: ['note', 'notes'], shows: ['user'] },
  file: { words: ['file', 'files'], shows: ['project', 'activity', 'user'] },
  proffer: { words: ['proffer', 'proffers'], shows: ['project', 'partner'] },
  entry: { words: ['reward', 'rewards'], icon: 'gift', shows: ['reward'] },
  /** What a project pays: what respondents get of it are its entries. */
  reward: { shows: ['entry', 'partner'] },
  location: { words: ['location', 'locations'], icon: 'visits', section: 'settings' },
  group: { words: ['location list', 'location lists'], screen: 'group', section: 'settings', of: 'location' },
  brand: { words: ['brand', 'brands'], section: 'visitation' },
  job: { words: ['job', 'jobs'], listed: 'jobs' },
  mail: { words: ['mail', 'mails'], listed: 'outbox', of: 'outbox' },
  key: { words: ['key', 'keys'], shows: ['user'] },
  session: { words: ['session', 'sessions'], also: ['account', 'user'] },
  account: { also: ['session', 'user', 'preference'] },
  outbox: {},
  request: { of: 'project' },
  quote: { of: 'project', also: ['proffer'] },
  export: { of: 'job' },
  runtime: { shows: ['project', 'entry', 'survey'] },
  history: {},
  organization: {},
  place: {},
  market: {},
  dma: {},
  preference: {},
  palette: {},
  snapshot: {},
  undo: {},
  list: {},
  live: {},
  usage: {},
} as const satisfies Readonly<Record<string, NounRow>>

type Nouns = typeof nouns
/** Everything that a call's id may begin with. */
export type NounId = keyof Nouns
/** What live events, history lines and cached reads name: a change of one makes the reads that show it stale. */
export type Noun = { [N in NounId]: Nouns[N] extends { of: string } ? never : N }[NounId]
/** What a command can act on, and a screen show one of: the nouns with words. */
export type SubjectKind = { [N in NounId]: Nouns[N] extends { words: unknown } ? N : never }[NounId]
/** The nouns whose events name records that the palette finds. */
export type PaletteNoun = { [N in Noun]: Nouns[N] extends { found: unknown } ? N : never }[Noun]

/** A noun's row, with what it may leave out; undefined for a text that names none. */
export const nounOf = (noun: string): NounRow | undefined => (nouns as Readonly<Record<string, NounRow>>)[noun]

/** The nouns whose rows hold a condition. */
export const nounsWith = (holds: (row: NounRow) => unknown): NounId[] =>
  (Object.keys(nouns) as NounId[]).filter((noun) => holds(nouns[noun]))

/** What a noun is called, one or `many`: "survey project". What is told as another noun has that one's words where it has none. */
export function wordOf(noun: string, many = false): string {
  const named = nounOf(noun)?.words ? noun : nounsWith((row) => row.of === noun && row.words)[0]
  return nounOf(named ?? '')?.words?.[many ? 1 : 0] ?? noun
}

/** A record's id as people write it: P-4812; the bare id of a noun without a code. */
export const codeOf = (noun: NounId, id: number | string): string => `${nounOf(noun)?.code ?? ''}${id}`

/** The code by which the palette finds a record of a kind; undefined for a kind that has none there. */
export const foundCode = (kind: string, id: number | string): string | undefined => {
  const { code, found } = nounOf(kind) ?? {}
  return found?.coded && `${code}${id}`
}
