import { loadAreas } from '../../src/commands/areas.ts'

// Tests read the whole commands table, which the workspace loads by area.
await loadAreas()

export { type CommandId, commandIds, commandOf, isCommandId } from '../../src/commands/table.ts'
