import { PINNED_KINDS } from '../../contract/favourites.ts'
import { nounsWith } from '../../contract/nounOf.ts'
import type { NounRow, SubjectKind } from '../../contract/nouns.ts'
import type { AreaCommands, Command } from './command.ts'

interface AreaRow {
  /** Prefixes of the area's command ids, besides its nouns. */
  ids?: readonly string[]
  /** Kinds of subject that its commands act on, besides those nouns. */
  on?: readonly SubjectKind[]
  /** Loads its rows of the commands table from the folder of the same name. */
  load(): Promise<{ commands: Rows }>
}

/**
 * Commands outside the first load, in chunks by area and in the table's order (docs/decisions/areas.md).
 * A chunk loads when idle, with a screen of the area, or when a key or link needs one of its commands.
 * The nouns table assigns nouns to areas.
 */
export const areas: Readonly<Record<Area, AreaRow>> = {
  projects: { ids: ['compare', 'docsign', 'request', 'row'], load: () => import('./areas/projects.ts') },
  activities: { ids: ['market'], load: () => import('./areas/activities.ts') },
  results: { ids: ['responses', 'runtime'], on: ['project', 'campaign'], load: () => import('./areas/results.ts') },
  rewards: { ids: ['receivers'], on: ['project', 'campaign'], load: () => import('./areas/rewards.ts') },
  people: { load: () => import('./areas/people.ts') },
  places: { load: () => import('./areas/places.ts') },
  settings: { ids: ['organization'], on: ['session'], load: () => import('./areas/settings.ts') },
  surveys: { load: () => import('./areas/surveys.ts') },
  views: { ids: ['arrange'], on: PINNED_KINDS, load: () => import('./areas/views.ts') },
  notifications: { load: () => import('./areas/notifications.ts') },
  imports: { ids: ['group'], load: () => import('./areas/imports.ts') },
  visitation: { ids: ['visit'], load: () => import('./areas/visitation.ts') },
  reports: { ids: ['landing'], on: ['project'], load: () => import('./areas/reports.ts') },
  webhooks: { load: () => import('./areas/webhooks.ts') },
  quotas: { on: ['project', 'campaign'], load: () => import('./areas/quotas.ts') },
}

export type Area = NonNullable<NounRow['area']>
export type Rows = Readonly<Record<string, Command>>
/** Every area, in the table's order. */
export const areaNames = Object.keys(areas) as Area[]

const nounsOf = (name: Area): readonly string[] => nounsWith(({ area }) => area === name)

/** Returns the areas with commands whose ids begin with a prefix. */
export const areasOf = (prefix: string): Area[] =>
  areaNames.filter((name) => [...nounsOf(name), ...(areas[name].ids ?? [])].includes(prefix))

/** Returns the areas with commands that act on a kind of record. */
export const areasOn = (kind: SubjectKind): Area[] =>
  areaNames.filter((name) => [...nounsOf(name), ...(areas[name].on ?? [])].includes(kind))

/** The id of a command of any area. */
export type AreaCommandId = keyof AreaCommands

const loaded: Partial<Record<Area, Rows>> = {}
let notify = () => {}

/** Returns the rows of the areas loaded so far. */
export const rowsThere = (): Readonly<Partial<Record<Area, Rows>>> => loaded

/** Sets the function called when more areas have loaded. */
export const onRows = (listener: () => void): void => {
  notify = listener
}

let loadDependencies: () => Promise<unknown> = async () => {}
/** Sets what loads with every area: the calls of its commands, whose access rules decide who may run them. */
export const comesAlong = (load: typeof loadDependencies): void => {
  loadDependencies = load
}

/** Loads areas, by default all. Rejects if one fails to load. */
export async function loadAreas(names: readonly Area[] = areaNames): Promise<void> {
  if (names.every((name) => loaded[name])) return
  const reading = Promise.all(names.map(async (name) => [name, (await areas[name].load()).commands] as const))
  const [areasRead] = await Promise.all([reading, loadDependencies()])
  // Assigned together, so that the screen renders once.
  Object.assign(loaded, Object.fromEntries(areasRead))
  notify()
}
