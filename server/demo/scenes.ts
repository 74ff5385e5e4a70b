import { addDays } from '../../contract/pacing.ts'
import type { Status } from '../../contract/status.ts'

/** What has happened in a project's current round (screens-quote-flow.md, Demo data). */
export type Scene = 'unopened' | 'silent' | 'overdue' | 'draft' | 'declined' | 'split' | 'filled' | 'second' | Quoted
type Quoted = 'unopened' | 'opened' | 'lapsing' | 'expired' | 'second'

/** TABLE  the scenes of a status in rotation, so that larger sizes have them in proportion. */
const SCENES: Partial<Record<Status, readonly Scene[]>> = {
  pricing: ['split', 'unopened', 'silent', 'draft', 'overdue', 'declined', 'second', 'split', 'filled'],
  submit_approval: ['opened', 'second', 'lapsing', 'unopened', 'expired', 'unopened', 'opened'],
}
/** The quotes of the demo client user. */
const OWN: readonly Scene[] = ['opened', 'second', 'lapsing']
/** TABLE  numbers of signed documents of approved projects, in rotation. */
const DOCUMENTS = [1, 2, 0, 1, 2, 0, 1]

/** TABLE  the minimum age of a request in days, so that its round fits in. */
const AGES: Partial<Record<Status, Partial<Record<Scene, number>>>> = {
  pricing: { unopened: 2, silent: 5, overdue: 10, draft: 3, declined: 4, split: 7, filled: 7, second: 15 },
  submit_approval: { unopened: 7, opened: 9, lapsing: 19, expired: 23, second: 18 },
}
const APPROVED_AGE = 9

/** The part of a project that its scene depends on. */
interface Staged {
  parentAt: number | null
  client: number
  status: Status
  created: string
  scene: Scene | null
  documents: number | null
}

/** Assigns scenes to the projects of each status, the first client's first, and makes requests old enough for them. */
export function assignScenes(all: readonly Staged[], today: string): void {
  for (const [status, scenes] of Object.entries(SCENES) as [Status, readonly Scene[]][]) {
    const families = all.filter((family) => family.status === status)
    const left = families.map((_, at) => scenes[at % scenes.length]!)
    const take = (scene: Scene | undefined) => left.splice(Math.max(0, left.indexOf(scene!)), 1)[0]!
    const own = status === 'submit_approval' ? [...OWN] : []
    const isOwn = (family: Staged) => family.client === 0
    for (const family of [...families.filter(isOwn), ...families.filter((one) => !isOwn(one))]) {
      family.scene = take(isOwn(family) ? own.shift() : undefined)
      makeOlder(all, family, addDays(today, -AGES[status]![family.scene]!))
    }
  }
  for (const [at, family] of all.filter(({ status }) => status === 'approved').entries()) {
    family.documents = DOCUMENTS[at % DOCUMENTS.length]!
    makeOlder(all, family, addDays(today, -APPROVED_AGE))
  }
}

/** Moves a request back to a day, and its parent's request before it. */
function makeOlder(all: readonly Staged[], family: Staged, day: string): void {
  if (family.created > day) family.created = day
  const parent = family.parentAt === null ? undefined : all[family.parentAt]
  if (parent && parent.created > family.created) parent.created = addDays(family.created, -1)
}
