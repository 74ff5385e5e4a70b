import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { addCopies, statementsOf } from './filling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// At 30,000 projects, reading all quotes for each channel partner took SQLite three seconds a partner.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  const { make, db } = app
  const project = await make.project({ client_id: app.client.id, generation: 'campaign', status: 'pricing' })
  const proffer = await make.proffer({ project_id: project.id, partner_id: (await make.partner({})).id, state: 'sent' } as never)
  const quote = await make.quote({ project_id: project.id, state: 'approved' } as never)
  await addCopies(app, 2000, 'projects', project, { name: `'Project ' || n` })
  const copied = async (table: string, like: { id: number }) => {
    const { rows } = await sql<object>`select * from ${sql.table(table)} where id = ${like.id}`.execute(db)
    const columns = Object.keys(rows[0]!).filter((column) => column !== 'id')
    const values = columns.map((column) => (column === 'project_id' ? 'projects.id' : `like_this."${column}"`))
    await sql
      .raw(
        `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
        select ${values.join(', ')} from "${table}" like_this join projects on projects.id > ${project.id} where like_this.id = ${like.id}`,
      )
      .execute(db)
  }
  await copied('proffers', proffer)
  await copied('quotes', quote)
  await sql`insert into quote_shares (quote_id, proffer_id, completes, cpi_cents)
    select quotes.id, proffers.id, 1, 100 from quotes join proffers on proffers.project_id = quotes.project_id`.execute(db)
  await sql`analyze`.execute(db)
})

test.runIf(engine === 'sqlite')('a partner’s figures don’t read the quotes of all partners', async () => {
  const statements = await statementsOf(app, async () => {
    const answer = await app.as('admin').call('partner.list')
    expect(answer.status, answer.text).toBe(200)
  })
  const figures = statements.filter((one) => one.sql.includes('quote_shares'))
  expect(figures).not.toEqual([])
  for (const one of figures) {
    const { rows } = await app.db.executeQuery<{ detail: string }>({ ...one, sql: `explain query plan ${one.sql}` } as never)
    const steps = rows.map(({ detail }) => detail).filter((step) => /^(SCAN|SEARCH) (quotes|quote_shares)\b/.test(step))
    expect(steps).not.toEqual([])
    expect(
      steps.filter((step) => step.startsWith('SCAN') || step.includes('AUTOMATIC')),
      one.sql,
    ).toEqual([])
  }
})

test('a partner’s chosen answers are counted once a project', async () => {
  const { data } = (await app.as('admin').call('partner.list')).body as { data: { chosen_count: number }[] }
  expect(data.map((one) => one.chosen_count)).toEqual([2001])
})
