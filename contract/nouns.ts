/**
 * What both sides need to know of a noun beside its calls, access rules and handlers, as plain data.
 * Ids of routes and calls are text because this table is below both; a test checks them against their tables.
 */
export interface NounRow {
  /** Singular and plural. A noun without words is not a record: it prefixes calls or names live updates. */
  words?: readonly [one: string, many: string]
  /** Its name in the icons table (src/runner/icons.tsx). */
  icon?: string
  /** The prefix of its ids: P-4812. */
  code?: string
  /** The route of one record, by `{id}`. */
  screen?: string
  /** The route of the list that finds a record by id, if the noun has no screen of its own. */
  listed?: string
  /** The sidebar section of its screens. */
  section?: 'projects' | 'visitation' | 'settings' | 'v3'
  /** The call that reads one record by id, with its allowed actions. */
  reads?: string
  /** The noun its events and history lines are filed under: another spelling of it, or the whole it is part of. */
  of?: string
  /** Other nouns whose records its calls read and write. */
  also?: readonly string[]
  /** Nouns whose names, counts or figures its reads show; a change of one makes these reads stale. */
  shows?: readonly string[]
  /** Further nouns that single reads show, by verb. */
  showsIn?: Readonly<Record<string, readonly string[]>>
  /**
   * The palette finds its records by name.
   * `detail`: the noun whose name is on the second line. `coded`: also found by code. `scope`: administrators only.
   */
  found?: { readonly detail?: 'client' | 'project'; readonly coded?: true; readonly scope?: 'admin' }
}

/** TABLE  the nouns: call ids begin with one, live events name one, commands act on those with words. */
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
  /** A project of the older generation, in the same table. */
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
  /** A reward a project offers; what respondents receive are its entries. */
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
/** Everything a call's id may begin with. */
export type NounId = keyof Nouns
/** Nouns that live events, history lines and cached reads name; a change makes the reads that show it stale. */
export type Noun = { [N in NounId]: Nouns[N] extends { of: string } ? never : N }[NounId]
/** Nouns that commands act on and screens show: the ones with words. */
export type SubjectKind = { [N in NounId]: Nouns[N] extends { words: unknown } ? N : never }[NounId]
/** Nouns whose events name records the palette finds. */
export type PaletteNoun = { [N in Noun]: Nouns[N] extends { found: unknown } ? N : never }[Noun]

/** A noun's row with its optional fields; undefined for an unknown noun. */
export const nounOf = (noun: string): NounRow | undefined => (nouns as Readonly<Record<string, NounRow>>)[noun]

/** Nouns whose rows meet a condition. */
export const nounsWith = (holds: (row: NounRow) => unknown): NounId[] =>
  (Object.keys(nouns) as NounId[]).filter((noun) => holds(nouns[noun]))

/** What a noun is called: "survey project". A noun without words borrows those of one filed under it. */
export function wordOf(noun: string, many = false): string {
  const named = nounOf(noun)?.words ? noun : nounsWith((row) => row.of === noun && row.words)[0]
  return nounOf(named ?? '')?.words?.[many ? 1 : 0] ?? noun
}

/** A record's id as people write it: P-4812; the bare id if the noun has no code. */
export const codeOf = (noun: NounId, id: number | string): string => `${nounOf(noun)?.code ?? ''}${id}`

/** The code the palette finds a record by; undefined for a kind it doesn't find by code. */
export const foundCode = (kind: string, id: number | string): string | undefined => {
  const { code, found } = nounOf(kind) ?? {}
  return found?.coded && `${code}${id}`
}
