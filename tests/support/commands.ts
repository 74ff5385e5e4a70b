import { loadAreas } from '../../src/commands/areas.ts'

// A test that reads the commands table reads all of it; the workspace fetches it area by area.
await loadAreas()

export { type CommandId, commandIds, commandOf, isCommandId } from '../../src/commands/table.ts'
