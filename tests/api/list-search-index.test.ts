import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { addCopies, statementsOf } from './filling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Whole rows of 9,000 projects took ten times as long to read as the index of their order (0100-listed-names.ts).
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  const project = await app.make.project({ client_id: app.client.id, status: 'active' })
  await addCopies(app, 2000, 'projects', project, { name: `'Wave ' || n` })
  const child = await app.make.project({ client_id: app.client.id, status: 'active', parent_id: project.id })
  await addCopies(app, 2000, 'projects', child, { name: `'Part ' || n` })
  await sql`analyze`.execute(app.db)
})

const ORDERS = ['', 'name', 'start_dt', 'end_dt', 'client'] as const

test.runIf(engine === 'sqlite').each(ORDERS)('a search of projects in the order “%s” reads only indexes', async (column) => {
  const statements = await statementsOf(app, async () => {
    const query = { column, search: `no such words ${column}`, type: 'Survey', status: 'active' }
    const answer = await app.as('admin').call('project.listAll', query as never)
    expect(answer.status, answer.text).toBe(200)
  })
  const searches = statements.filter((one) => one.sql.includes(' like '))
  expect(searches).not.toEqual([])
  for (const one of searches) {
    const { rows } = await app.db.executeQuery<{ detail: string }>({ ...one, sql: `explain query plan ${one.sql}` } as never)
    const steps = rows.map(({ detail }) => detail).filter((step) => /^(SCAN|SEARCH) (projects|child)\b/.test(step))
    expect(steps).not.toEqual([])
    // The few that are deleted are looked up by their own index.
    const rest = steps.filter((step) => !step.includes('ix_projects_deleted'))
    expect(rest.filter((step) => !step.includes('COVERING INDEX'))).toEqual([])
  }
})
