import type { SubjectKind } from '../../contract/nouns.ts'
import type { Command } from './command.ts'

interface AreaRow {
  /** What the ids of its commands begin with. */
  ids: readonly string[]
  /** What its commands act on. */
  on: readonly SubjectKind[]
  /** Fetches its rows of the commands table. */
  load(): Promise<{ commands: object }>
}

/**
 * The parts of the product whose commands are not in the first load. Each is a chunk, fetched while the page is idle, with a screen of the area, or
 * when a key or a link asks for a command of it (docs/decisions/areas.md). In the order of the commands table.
 */
export const areas = {
  projects: {
    ids: ['project', 'compare', 'file', 'note'],
    on: ['project', 'campaign', 'file', 'note'],
    load: () => import('./areas/projects.ts'),
  },
  rewards: { ids: ['entry'], on: ['entry', 'project', 'campaign'], load: () => import('./areas/rewards.ts') },
  people: {
    ids: ['client', 'user', 'session', 'location'],
    on: ['client', 'user', 'group'],
    load: () => import('./areas/people.ts'),
  },
  settings: {
    ids: ['job', 'outbox', 'account', 'key'],
    on: ['job', 'mail', 'session', 'key'],
    load: () => import('./areas/settings.ts'),
  },
  views: { ids: ['view'], on: ['view'], load: () => import('./areas/views.ts') },
} as const satisfies Readonly<Record<string, AreaRow>>

export type Area = keyof typeof areas
export type Rows = Readonly<Record<string, Command>>
/** Every area, in the table's order. */
export const areaNames = Object.keys(areas) as Area[]

/** The areas with commands that act on a kind of record. */
export const areasOn = (kind: SubjectKind): Area[] =>
  areaNames.filter((name) => (areas[name].on as readonly SubjectKind[]).includes(kind))

type Loaded = Awaited<ReturnType<(typeof areas)[Area]['load']>>['commands']
/** The id of a command of any area. */
export type AreaCommandId = Loaded extends infer Rows ? (Rows extends unknown ? keyof Rows : never) : never

const come: Partial<Record<Area, Rows>> = {}
let told = () => {}

/** The rows of the areas that have come. */
export const rowsThere = (): Readonly<Partial<Record<Area, Rows>>> => come

/** Tells when more of them have come. */
export const onRows = (listener: () => void): void => {
  told = listener
}

let along: () => Promise<unknown> = async () => {}
/** Registers what comes with every area: the rows of the calls that its commands make, which say who may run them. */
export const comesAlong = (load: typeof along): void => {
  along = load
}

/** Fetches the commands of areas, by default of all. Rejects when one can't be had. */
export async function loadAreas(wanted: readonly Area[] = areaNames): Promise<void> {
  if (wanted.every((name) => come[name])) return
  const coming = Promise.all(wanted.map(async (name) => [name, (await areas[name].load()).commands] as const))
  const [loaded] = await Promise.all([coming, along()])
  // Together, so that what shows commands is drawn once.
  Object.assign(come, Object.fromEntries(loaded))
  told()
}
