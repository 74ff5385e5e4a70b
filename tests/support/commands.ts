import { modulesIn } from '../../server/db/modulesIn.ts'
import { type Area, areaNames, areas, loadAreas, type Rows } from '../../src/commands/commandAreas.ts'

// Playwright runs in Node, which has no `import.meta.glob`, so the areas' folders are read like the server's.
const inNode = async (name: Area): Promise<{ commands: Rows }> => {
  const files = await modulesIn(new URL(`../../src/commands/${name}/`, import.meta.url))
  const tables = files.flatMap(([, module]) => Object.entries(module).filter(([as]) => as.endsWith('Commands')))
  return { commands: Object.assign({}, ...tables.map(([, table]) => table)) }
}
if (!process.env.VITEST) for (const name of areaNames) areas[name].load = () => inNode(name)

// Tests read the whole commands table; the workspace loads it by area.
await loadAreas()

export { type CommandId, commandIds, commandOf, isCommandId } from '../../src/commands/table.ts'
