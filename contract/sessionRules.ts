/** TABLE  the states of a session, with what people read; those after `admitted` are outcomes. */
export const SESSION_STATES = ['admitted', 'complete', 'terminate', 'quota_full', 'security', 'abandoned'] as const
export type SessionState = (typeof SESSION_STATES)[number]
/** What an exit or a server may say that a session ended with. */
export const SESSION_OUTCOMES = ['complete', 'terminate', 'quota_full', 'security'] as const
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number]

/** What vouches for an outcome, the weakest first. */
export const SESSION_PROOFS = ['none', 'import', 'redirect', 's2s'] as const
export type SessionProof = (typeof SESSION_PROOFS)[number]
const strength = (proof: SessionProof): number => SESSION_PROOFS.indexOf(proof)

/** TABLE  what can happen to a session. */
export const SESSION_STEPS = [
  'entered',
  'resumed',
  'refused',
  'outcome',
  'repeated',
  'proven',
  'contradicted',
  'claimed',
  'lapsed',
] as const
export type SessionStepKind = (typeof SESSION_STEPS)[number]

/** Seconds that the clocks of two servers may differ: for what a browser carries, and between servers. */
export const GRACE = { redirect: 900, s2s: 300 } as const
/** Hours that a former secret still counts after a rotation. */
export const FORMER_SECRET_HOURS = 24
/** How long an admitted person without quotas and heartbeats may take. */
export const DEFAULT_HOLD_MINUTES = 36
export const PID_LENGTH = 100

/** The text that is signed for an outcome, or under `entered` for the survey that a person is sent to. */
export const outcomeText = (rid: string, outcome: SessionOutcome | 'entered' | 'seen', t: number): string =>
  `${rid}|${outcome}|${t}`
/** The text that a partner signs for an entry. */
export const entryText = (token: string, pid: string, t: number): string => `${token}|${pid}|${t}`

/** Which facts of an arrival the entry's checks read. */
export interface ArrivalFacts {
  /** The link takes people, and its project is in field. */
  live: boolean
  signature: 'fine' | 'missing' | 'wrong' | 'stale'
  /** Entrants of the link in the last minute, and how many are let in. */
  minute: number
  most: number
  /** Has completed a project whose people aren’t let in. */
  excluded: boolean
  /** A session that the same person has. */
  repeat: 'none' | 'inside' | 'over'
  /** Why the quotas have no place; null if they have one, or before they were asked. */
  quota: string | null
}

interface EntryCheck {
  readonly check: string
  /** How the arrival ends; `wait` is told to come back, without a session, and `resume` goes on with its own. */
  readonly outcome: Exclude<SessionOutcome, 'complete'> | 'wait' | 'resume'
  readonly fails: (facts: ArrivalFacts) => string | null
}

/** TABLE  the checks of an entry in order: the first that fails decides. `fails` returns the reason. */
const ENTRY_CHECKS: readonly EntryCheck[] = [
  { check: 'live', outcome: 'quota_full', fails: ({ live }) => (live ? null : 'closed') },
  {
    check: 'signature',
    outcome: 'security',
    fails: ({ signature }) => (signature === 'fine' ? null : signature === 'stale' ? 'stale_signature' : 'bad_link'),
  },
  { check: 'minute', outcome: 'wait', fails: ({ minute, most }) => (minute < most ? null : 'too_many') },
  { check: 'exclusion', outcome: 'terminate', fails: ({ excluded }) => (excluded ? 'excluded' : null) },
  { check: 'resumes', outcome: 'resume', fails: ({ repeat }) => (repeat === 'inside' ? 'resumed' : null) },
  { check: 'repeat', outcome: 'security', fails: ({ repeat }) => (repeat === 'over' ? 'duplicate' : null) },
  { check: 'quota', outcome: 'quota_full', fails: ({ quota }) => quota },
]

/** The check that decides an arrival; null if it is let in. */
export function decideEntry(facts: ArrivalFacts): { check: string; outcome: EntryCheck['outcome']; reason: string } | null {
  for (const { check, outcome, fails } of ENTRY_CHECKS) {
    const reason = fails(facts)
    if (reason !== null) return { check, outcome, reason }
  }
  return null
}

/** TABLE  why a session ended so, as a sentence, by its reason. */
const WHY: Readonly<Record<string, string>> = {
  closed: 'The link was paused, or its project wasn’t in field.',
  bad_link: 'The link asks for a signature, and this one was missing or wrong.',
  stale_signature: 'The signature was made more than 15 minutes before or after it arrived.',
  excluded: 'This person has completed a project whose people aren’t let in here.',
  duplicate: 'This person had a session here already, which was over.',
  full: 'A quota that they match was full.',
  cell_closed: 'A quota that they match was closed.',
  unknown: 'The quotas need something of this person that wasn’t known.',
  outside: 'No quota takes people like this one.',
}
const ENDED: Readonly<Record<SessionState, string>> = {
  admitted: 'This person was let in, and hasn’t ended yet.',
  complete: 'This person completed the survey.',
  terminate: 'The survey screened this person out.',
  quota_full: 'The survey said that its quota was full.',
  security: 'The survey refused this person as unsafe.',
  abandoned: 'This person was let in and never came to an end.',
}

/** Why a session is as it is, in one sentence; a reason of the survey's own is quoted. */
export function whyOf({ state, reason, cell }: { state: SessionState; reason: string; cell?: string | null }): string {
  if (reason.startsWith('cell:')) return `The quota “${cell ?? reason.slice(5)}” had no place.`
  const known = Object.hasOwn(WHY, reason) ? WHY[reason] : undefined
  return known ?? (reason ? `${ENDED[state]} It said: ${reason}` : ENDED[state])
}

/** What an outcome does to a session. */
export type OutcomeEffect = 'ends' | 'proves' | 'repeats' | 'claims' | 'contradicts'

/** What an outcome does that arrives with a proof: a complete without one is only claimed. */
export function effectOf(
  session: { state: SessionState; proof: SessionProof },
  outcome: SessionOutcome,
  proof: SessionProof,
): OutcomeEffect {
  const isOver = session.state !== 'admitted' && session.state !== 'abandoned'
  if (isOver && session.state === outcome) return strength(proof) > strength(session.proof) ? 'proves' : 'repeats'
  if (outcome === 'complete' && proof === 'none') return 'claims'
  return isOver ? 'contradicts' : 'ends'
}

const percentOf = (count: number, all: number): number => Math.round((1000 * count) / all) / 10

/** Counts of sessions, of which everything else of a project's traffic follows. */
export interface TrafficCounts {
  entrants: number
  in_survey: number
  complete: number
  terminate: number
  quota_full: number
  security: number
  abandoned: number
  /** The completes' cost. */
  cost_cents: number
}

/** The shares of traffic, in per cent with one decimal; null without anything to divide by. */
export function trafficShares({ entrants, complete, terminate, abandoned, cost_cents }: TrafficCounts) {
  return {
    /** Of all entrants, those who weren't screened out. */
    incidence: entrants ? percentOf(entrants - terminate, entrants) : null,
    /** Of completes and screened out together, the completes. */
    incidence_screened: complete + terminate ? percentOf(complete, complete + terminate) : null,
    conversion: entrants ? percentOf(complete, entrants) : null,
    drop_off: complete + abandoned ? percentOf(abandoned, complete + abandoned) : null,
    /** Earnings per click. */
    epc_cents: entrants ? Math.round(cost_cents / entrants) : null,
  }
}

/** TABLE  the placeholders of an exit address. */
export const EXIT_PLACEHOLDERS = ['pid', 'rid', 'outcome', 'reason', 't', 'sig'] as const

/** An exit address with its placeholders filled in. */
export const exitAddress = (address: string, values: Readonly<Record<(typeof EXIT_PLACEHOLDERS)[number], string>>): string =>
  address.replace(/\{(pid|rid|outcome|reason|t|sig)\}/g, (_all, name: keyof typeof values) => encodeURIComponent(values[name]))

/** What a link may have about a person, in the codes of intake. */
export const ENTRY_PARAMETERS = ['pid', 'age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children', 'dma'] as const
export type EntryParameter = (typeof ENTRY_PARAMETERS)[number]
/** Parameters that the signature needs. */
const SIGNED = ['t', 'sig'] as const

/** What an entry's query says, in our names, and the parameters that are ignored. */
export function readEntry(
  query: Readonly<Record<string, unknown>>,
  theirs: Readonly<Partial<Record<EntryParameter, string>>>,
): { values: Partial<Record<EntryParameter | 't' | 'sig', string>>; ignored: string[] } {
  const names = new Map<string, EntryParameter | 't' | 'sig'>([
    ...ENTRY_PARAMETERS.map((name) => [theirs[name] ?? name, name] as const),
    ...SIGNED.map((name) => [name, name] as const),
  ])
  const values: Partial<Record<EntryParameter | 't' | 'sig', string>> = {}
  const ignored: string[] = []
  for (const [sent, value] of Object.entries(query)) {
    const name = names.get(sent)
    if (name && typeof value === 'string') values[name] = value.trim()
    else ignored.push(sent)
  }
  return { values, ignored }
}
