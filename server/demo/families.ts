import { addDays } from '../../contract/pacing.ts'
import { STATUSES, type Status } from '../../contract/status.ts'
import type { Amounts } from './demoNoun.ts'
import { type Random, shareOut } from './random.ts'
import { assignScenes, type Scene } from './scenes.ts'
import { CONTENT_STUDIES, INDUSTRIES, REGIONS, SEASONS, STUDIES } from './studies.ts'

/** A project's place in the marketplace: client, name, dates and status. */
export interface Family {
  /** Index of its parent in the list, or null. */
  parentAt: number | null
  hasChildren: boolean
  generation: 'campaign' | 'project'
  /** Index of the client. */
  client: number
  status: Status
  name: string
  product: string
  content: boolean
  created: string
  start: string
  end: string
  /** What has happened in its current round, while it is being priced. */
  scene: Scene | null
  /** How many signed documents it has; null draws the number. */
  documents: number | null
}

export const WITH_RESULTS: ReadonlySet<Status> = new Set(['active', 'paused', 'completed', 'reporting'])
const SHARES: Record<Status, number> = {
  requirements: 5,
  pricing: 5,
  submit_approval: 4,
  approved: 4,
  active: 11.2,
  paused: 2.2,
  completed: 44.6,
  reporting: 17,
  rejected: 7,
}
const LENGTHS = [7, 7, 10, 14, 14, 21, 21, 21, 28, 30, 42, 60]
const WAITING: readonly Status[] = ['approved', 'requirements', 'pricing', 'submit_approval']

/** A client's industry, fixed by its index. */
export const industryOf = (client: number) => INDUSTRIES[(client * 7) % INDUSTRIES.length]!

/** Every project, in families: a quarter of the parents have two to six children; statuses as in decisions.md 12. */
export function familiesOf(random: Random, amounts: Amounts, today: string): Family[] {
  const tops = Math.round(amounts.project / 2)
  const sizes = childCounts(random, Math.max(1, Math.round(tops / 4)), amounts.project - tops)
  const pool = statusPool(amounts.project)
  const take = (...wanted: Status[]): Status => {
    const status = [...wanted, ...STATUSES].find((one) => pool[one] > 0)!
    pool[status]--
    return status
  }
  const all: Family[] = []
  const running = Math.max(1, Math.round(sizes.length / 4))
  const groups: number[][] = []
  for (const [nth, size] of sizes.entries()) {
    const family = nth < running ? runningFamily(random, size, take, today) : finishedFamily(random, size, take, today)
    const parentAt = all.length
    groups.push([parentAt, ...family.children.map((_, at) => parentAt + 1 + at)])
    all.push(
      { ...blank, ...family.parent, parentAt: null, hasChildren: true },
      ...family.children.map((child) => ({ ...blank, ...child, parentAt, hasChildren: false })),
    )
  }
  const rest = random.shuffle(STATUSES.flatMap((status) => Array<Status>(pool[status]).fill(status)))
  for (const status of rest) {
    groups.push([all.length])
    all.push({ ...blank, ...datesOf(random, status, today), status, parentAt: null, hasChildren: false })
  }
  assignClients(random, groups, all, amounts.client)
  assignScenes(all, today)
  assignGenerations(random, groups, all)
  for (const group of groups)
    assignNames(
      random,
      group.map((at) => all[at]!),
    )
  return all
}

const blank = {
  ...{ generation: 'project' as const, client: 0, name: '', product: '', content: false },
  ...{ scene: null, documents: null },
}
type Dated = Pick<Family, 'status' | 'created' | 'start' | 'end'>

function childCounts(random: Random, parents: number, children: number): number[] {
  const counts = Array<number>(parents).fill(2)
  let left = children - 2 * parents
  while (left > 0) {
    const at = random.int(0, parents - 1)
    if (counts[at]! >= 6) continue
    counts[at]!++
    left--
  }
  return counts
}

/** How many projects each status gets; at least one, however few there are. */
function statusPool(projects: number): Record<Status, number> {
  const counts = shareOut(
    projects,
    STATUSES.map((status) => SHARES[status]),
  )
  for (const [at, count] of counts.entries()) {
    if (count > 0) continue
    counts[counts.indexOf(Math.max(...counts))]!--
    counts[at]!++
  }
  return Object.fromEntries(STATUSES.map((status, at) => [status, counts[at]!])) as Record<Status, number>
}

function datesOf(random: Random, status: Status, today: string): Omit<Dated, 'status'> {
  const days = random.pick(LENGTHS)
  const lead = status === 'active' || status === 'paused' ? random.int(3, 10) : random.int(9, 30)
  const from = (start: string) => ({ created: addDays(start, -lead), start, end: addDays(start, days - 1) })
  if (WITH_RESULTS.has(status) && status !== 'active' && status !== 'paused')
    return from(addDays(today, -3 - Math.floor(520 * random.next() ** 1.7) - days))
  // At least one day in field, and one to go.
  if (status === 'active' || status === 'paused')
    return from(addDays(today, -Math.max(1, Math.min(days - 2, Math.floor(days * (0.1 + 0.8 * random.next()))))))
  const start = addDays(today, status === 'approved' ? random.int(1, 14) : random.int(6, 35))
  const age = status === 'approved' ? random.int(6, 26) : status === 'requirements' ? random.int(0, 16) : random.int(2, 20)
  if (status !== 'rejected') return { created: addDays(today, -age), start, end: addDays(start, days - 1) }
  const created = addDays(today, -random.int(12, 420))
  return { created, start: addDays(created, 20), end: addDays(created, 19 + days) }
}

type Take = (...wanted: Status[]) => Status

/** Waves around today: past ones are completed, one is in field, later ones are in preparation. */
function runningFamily(random: Random, size: number, take: Take, today: string): { parent: Dated; children: Dated[] } {
  const days = random.pick([7, 10, 14, 21])
  const gap = random.pick([0, 7, 14])
  const current = Math.min(size - 1, Math.max(1, Math.floor(size * (0.3 + 0.5 * random.next()))))
  const begin = addDays(today, -random.int(2, Math.max(2, days - 3)))
  const children = Array.from({ length: size }, (_, at): Dated => {
    const start = addDays(begin, (at - current) * (days + gap))
    const status =
      at < current
        ? take('completed', 'reporting')
        : at === current
          ? take('active', 'paused', 'completed')
          : take(WAITING[(at - current) % WAITING.length]!, ...WAITING)
    const created = addDays(start, -random.int(8, 20))
    return {
      status,
      created: created < today ? created : addDays(today, -random.int(0, 12)),
      start,
      end: addDays(start, days - 1),
    }
  })
  return { parent: around(random, children, take('active', 'paused', 'completed'), today), children }
}

/** Parallel regions or waves, all completed. */
function finishedFamily(random: Random, size: number, take: Take, today: string): { parent: Dated; children: Dated[] } {
  const beside = random.chance(0.4)
  const days = random.pick([10, 14, 21, 28])
  const span = beside ? days : size * (days + 4)
  const begin = addDays(today, -4 - Math.floor(380 * random.next() ** 1.5) - span)
  const children = Array.from({ length: size }, (_, at): Dated => {
    const start = beside ? begin : addDays(begin, at * (days + 4))
    return {
      status: take('completed', 'reporting'),
      created: addDays(start, -random.int(8, 16)),
      start,
      end: addDays(start, days - 1),
    }
  })
  return { parent: around(random, children, take('completed', 'reporting'), today), children }
}

function around(random: Random, children: readonly Dated[], status: Status, today: string): Dated {
  const min = (pick: (child: Dated) => string) => children.map(pick).sort()[0]!
  const end = children
    .map((child) => child.end)
    .sort()
    .at(-1)!
  const parent = {
    status,
    created: addDays(
      min((child) => child.created),
      -random.int(1, 6),
    ),
    start: min((child) => child.start),
    end,
  }
  return status === 'active' && parent.end < today ? { ...parent, end: today } : parent
}

/** Quotes that the demo client user decides on. */
const OWN_QUOTES = 3

/** The first client (of the demo login) gets a dozen projects in every status; the others share the rest unevenly. */
function assignClients(random: Random, groups: readonly number[][], all: Family[], clients: number): void {
  const wanted: Status[] = [
    'requirements',
    'pricing',
    'approved',
    'active',
    'active',
    'paused',
    'completed',
    'completed',
    'completed',
    'reporting',
    'rejected',
  ]
  const open = new Set(groups)
  const mine = (group: number[] | undefined) => {
    if (!group) return
    open.delete(group)
    for (const at of group) all[at]!.client = 0
  }
  const family = groups.find((group) => group.length > 2 && all[group[0]!]!.status === 'active')
  const quoted = family?.filter((at) => all[at]!.status === 'submit_approval').length ?? 0
  mine(family)
  for (const status of [...Array<Status>(Math.max(0, OWN_QUOTES - quoted)).fill('submit_approval'), ...wanted])
    mine([...open].find((group) => group.length === 1 && all[group[0]!]!.status === status))
  const weights = Array.from({ length: Math.max(1, clients - 1) }, (_, at) => (at + 3) ** -0.7)
  for (const group of open) {
    const client = 1 + random.weigh(weights)
    for (const at of group) all[at]!.client = Math.min(client, clients - 1)
  }
}

/** Makes 30 % of the projects older campaigns, whole families at a time. */
function assignGenerations(random: Random, groups: readonly number[][], all: Family[]): void {
  let left = Math.round(all.length * 0.3)
  for (const group of random.shuffle([...groups])) {
    if (group.length > left) continue
    for (const at of group) all[at]!.generation = 'campaign'
    left -= group.length
  }
}

function assignNames(random: Random, group: Family[]): void {
  const [top, ...children] = group as [Family, ...Family[]]
  const product = random.pick(industryOf(top.client).products)
  const content = random.chance(0.12)
  const season = random.pick(SEASONS)
  const study = random.pick(content ? CONTENT_STUDIES : STUDIES)
  const year = top.start.slice(0, 4)
  const base = random.chance(0.6) ? `${season} ${product} ${study}` : `${product} ${study} ${year}`
  const beside = children.length > 1 && children.every((child) => child.start === children[0]!.start)
  top.name = children.length || !/Tracker|Pulse|Brand Health/.test(study) ? base : `${base} W${random.int(1, 8)}`
  for (const family of group) Object.assign(family, { product, content })
  const regions = random.some(REGIONS, children.length)
  for (const [at, child] of children.entries()) child.name = `${base} ${beside ? regions[at] : `W${at + 1}`}`
}
