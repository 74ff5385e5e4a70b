import type { SubjectKind } from '../../contract/nouns.ts'
import type { Command } from './command.ts'

interface AreaRow {
  /** The prefixes of its command ids. */
  ids: readonly string[]
  /** The kinds of subject its commands act on. */
  on: readonly SubjectKind[]
  /** Loads its rows of the commands table. */
  load(): Promise<{ commands: object }>
}

/**
 * Commands outside the first load, in chunks by area and in the table's order (docs/decisions/areas.md).
 * A chunk loads when idle, with a screen of the area, or when a key or link needs one of its commands.
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

/** The rows of the areas loaded so far. */
export const rowsThere = (): Readonly<Partial<Record<Area, Rows>>> => come

/** Sets the function called when more areas have loaded. */
export const onRows = (listener: () => void): void => {
  told = listener
}

let along: () => Promise<unknown> = async () => {}
/** Sets what loads with every area: the calls its commands make, whose rows say who may run them. */
export const comesAlong = (load: typeof along): void => {
  along = load
}

/** Loads areas, all by default. Rejects when one fails to load. */
export async function loadAreas(wanted: readonly Area[] = areaNames): Promise<void> {
  if (wanted.every((name) => come[name])) return
  const coming = Promise.all(wanted.map(async (name) => [name, (await areas[name].load()).commands] as const))
  const [loaded] = await Promise.all([coming, along()])
  // Assigned together, so the screen renders once.
  Object.assign(come, Object.fromEntries(loaded))
  told()
}
