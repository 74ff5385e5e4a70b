import { kindsAmong } from './availability.ts'
import type { Command } from './command.ts'
import { type Area, type AreaCommandId, areaNames, areasOf, areasOn, onRows, type Rows, rowsThere } from './commandAreas.ts'
import { formCommands } from './formCommands.ts'
import { listCommands } from './listCommands.ts'
import { navigationCommands } from './navigationCommands.ts'
import type { Subject } from './subject.ts'
import { appearanceCommands, workspaceCommands } from './workspaceCommands.ts'

/** The first load: the workspace, its lists and forms, and navigation. All other rows belong to areas. */
const first = { ...workspaceCommands, ...listCommands } as const
const last = { ...formCommands, ...appearanceCommands, ...navigationCommands } as const

export type CommandId = keyof typeof first | keyof typeof last | AreaCommandId

let table: Rows
let ids: readonly CommandId[]
let changed: (ids: readonly CommandId[]) => void = () => {}
/** Sets the function called when the commands of more areas have loaded. */
export const onAreas = (listener: typeof changed): void => {
  changed = listener
}

function put(): void {
  // Saved views come after the lists that they belong to.
  const { views, ...others } = rowsThere()
  table = Object.assign({}, ...areaNames.map((name) => name in others && others[name as keyof typeof others]), first, views, last)
  ids = Object.keys(table) as CommandId[]
  changed(ids)
}
put()
onRows(put)

/** Returns the ids of the loaded commands in table order; all of them after `loadAreas()`. */
export const commandIds = (): readonly CommandId[] => ids

/** Returns a row without its questions' exact types. Callers make sure that its area has loaded. */
export const commandOf = (id: CommandId): Command => table[id]!

/** True for the id of a loaded command; links and preferences may contain others. */
export const isCommandId = (id: string): id is CommandId => Object.hasOwn(table, id)

/** Returns areas not loaded yet that may have a command; none if it is loaded, or no area has it. */
export function areasWith(id: string): Area[] {
  const [noun = ''] = id.split('.', 1)
  return isCommandId(id) ? [] : areasOf(noun).filter((name) => !rowsThere()[name])
}

/** Returns areas not loaded yet with commands for these subjects. */
export const areasFor = (subjects: readonly Subject[]): Area[] =>
  kindsAmong(subjects).flatMap((kind) => areasOn(kind).filter((name) => !rowsThere()[name]))
