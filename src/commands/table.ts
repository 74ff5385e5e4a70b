import { type Area, type AreaCommandId, areaNames, areas, areasOn, onRows, type Rows, rowsThere } from './areas.ts'
import { kindsAmong } from './availability.ts'
import type { Command } from './command.ts'
import { formCommands } from './form.ts'
import { listCommands } from './list.ts'
import { navigationCommands } from './navigation.ts'
import type { Subject } from './subject.ts'
import { appearanceCommands, workspaceCommands } from './workspace.ts'

/** What the first screen needs: the workspace itself, its lists and forms, and the way to every screen. The other rows are their areas'. */
const first = { ...workspaceCommands, ...listCommands } as const
const last = { ...formCommands, ...appearanceCommands, ...navigationCommands } as const

export type CommandId = keyof typeof first | keyof typeof last | AreaCommandId

let table: Rows
let ids: readonly CommandId[]
let changed: (ids: readonly CommandId[]) => void = () => {}
/** Tells when the commands of more areas have come. */
export const onAreas = (listener: typeof changed): void => {
  changed = listener
}

function put(): void {
  // Saved views are of lists, and stand behind them.
  const { views, ...others } = rowsThere()
  table = Object.assign({}, ...areaNames.map((name) => name in others && others[name as keyof typeof others]), first, views, last)
  ids = Object.keys(table) as CommandId[]
  changed(ids)
}
put()
onRows(put)

/** The ids of the commands that are there, in the table's order: of every command, once `loadAreas()` is through. */
export const commandIds = (): readonly CommandId[] => ids

/** A row without the precision of its own questions. Its area has come: what shows or starts a command sees to that. */
export const commandOf = (id: CommandId): Command => table[id]!

/** True for an id of a command that is there: links and preferences may hold others. */
export const isCommandId = (id: string): id is CommandId => Object.hasOwn(table, id)

/** The areas that may have a command and have not come; none for one that is there, or that no area has. */
export function areasWith(id: string): Area[] {
  const [noun = ''] = id.split('.', 1)
  return isCommandId(id)
    ? []
    : areaNames.filter((name) => !rowsThere()[name] && (areas[name].ids as readonly string[]).includes(noun))
}

/** The areas with commands for these subjects that have not come. */
export const areasFor = (subjects: readonly Subject[]): Area[] =>
  kindsAmong(subjects).flatMap((kind) => areasOn(kind).filter((name) => !rowsThere()[name]))
