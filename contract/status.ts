import type { Role } from './vocabulary.ts'

/** The stored project statuses (decisions.md 2). */
export const STATUSES = [
  'requirements',
  'pricing',
  'submit_approval',
  'approved',
  'active',
  'paused',
  'completed',
  'reporting',
  'rejected',
] as const
export type Status = (typeof STATUSES)[number]
type Bucket = 'pending' | 'approved' | 'active' | 'paused' | 'completed'

interface Spelling {
  v3: string
  bucket: Bucket | null
  shown: string
  tone: 'grey' | 'amber' | 'green' | 'blue' | 'red'
}

/** Stored status → API spelling, filter bucket and label (decisions.md 2). */
export const SPELLING: Record<Status, Spelling> = {
  requirements: { v3: 'Pending', bucket: 'pending', shown: 'Pending', tone: 'grey' },
  pricing: { v3: 'OnQuote', bucket: 'pending', shown: 'Pending', tone: 'grey' },
  submit_approval: { v3: 'Quoted', bucket: 'pending', shown: 'Pending', tone: 'grey' },
  approved: { v3: 'QuoteApproved', bucket: 'approved', shown: 'Approved', tone: 'blue' },
  active: { v3: 'Active', bucket: 'active', shown: 'Active', tone: 'green' },
  paused: { v3: 'Paused', bucket: 'paused', shown: 'Paused', tone: 'amber' },
  completed: { v3: 'Completed', bucket: 'completed', shown: 'Completed', tone: 'grey' },
  reporting: { v3: 'Reporting', bucket: 'completed', shown: 'Reporting available', tone: 'blue' },
  rejected: { v3: 'Rejected', bucket: null, shown: 'Rejected', tone: 'red' },
}

/** The label of each stored status. */
export const STATUS_WORDS = Object.fromEntries(STATUSES.map((status) => [status, SPELLING[status].shown])) as Record<
  Status,
  string
>

/** Names of the steps for sentences. Three steps share the label Pending, so labels don't tell them apart. */
export const STEP: Record<Status, string> = {
  requirements: 'pending',
  pricing: 'on quote',
  submit_approval: 'quoted',
  approved: 'approved',
  active: 'active',
  paused: 'paused',
  completed: 'completed',
  reporting: 'available for reporting',
  rejected: 'rejected',
}

/** Values and labels of the list filter (projects-area 2). */
export const BUCKETS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'completed', label: 'Completed' },
] as const

/** The Overview's status selector: the specification's five options, each with the stored status it sets. */
export const SELECTABLE = [
  { value: 'requirements', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'completed', label: 'Completed' },
] as const

/** Reads a status in either spelling and any case; null if it is neither. */
export function readStatus(text: string): Status | null {
  const wanted = text.trim().toLowerCase()
  for (const status of STATUSES) {
    if (status === wanted || SPELLING[status].v3.toLowerCase() === wanted) return status
  }
  if (wanted === 'reporting available') return 'reporting'
  return null
}

/** The statuses in both spellings, for the message about another word. */
export const ACCEPTED_STATUSES = STATUSES.map((status) => `${SPELLING[status].v3} (${status})`).join(', ')

/** Returns the stored statuses of a filter bucket; all of them for 'all'. */
export function statusesOf(bucket: string): readonly Status[] {
  return bucket === 'all' ? STATUSES : STATUSES.filter((status) => SPELLING[status].bucket === bucket)
}

type Guard = 'partner assigned' | 'decides' | 'cost set' | 'round open' | 'can go live'
export interface Transition {
  from: readonly Status[]
  to: Status
  who: readonly Role[]
  guard?: Guard
  /** The change needs a reason. */
  reason?: true
  /** Of client users, only the requester may make it. */
  own?: true
  /** An administrator who acts for the client must give a reason. */
  adminReason?: true
}

/** Every status change that works without force, in the order of decisions.md 2. */
export const TRANSITIONS: readonly Transition[] = [
  { from: ['requirements'], to: 'pricing', who: ['admin'], guard: 'partner assigned' },
  { from: ['pricing'], to: 'submit_approval', who: ['admin'], guard: 'cost set' },
  { from: ['submit_approval'], to: 'approved', who: ['client', 'admin'], guard: 'round open', adminReason: true },
  { from: ['submit_approval'], to: 'pricing', who: ['client', 'admin'], guard: 'decides', reason: true },
  { from: ['requirements', 'pricing', 'submit_approval'], to: 'rejected', who: ['admin', 'client'], reason: true, own: true },
  { from: ['rejected'], to: 'requirements', who: ['admin'] },
  { from: ['approved', 'paused'], to: 'submit_approval', who: ['admin'], guard: 'cost set', reason: true },
  { from: ['approved'], to: 'active', who: ['admin'], guard: 'can go live' },
  { from: ['active'], to: 'paused', who: ['admin'] },
  // One guard for every way into active (decisions.md 14).
  { from: ['paused'], to: 'active', who: ['admin'], guard: 'can go live' },
  { from: ['active', 'paused'], to: 'completed', who: ['admin'] },
  { from: ['completed'], to: 'reporting', who: ['admin'] },
  { from: ['reporting'], to: 'completed', who: ['admin'] },
  { from: ['completed'], to: 'active', who: ['admin'], guard: 'can go live' },
]
