import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

describe('quotes waiting for a client user', () => {
  test('are exactly those they can approve now, beyond one page', async () => {
    const quoted = (given: object = {}) => app.make.project({ client_id: app.client.id, status: 'submit_approval', ...given })
    const open: number[] = []
    for (let at = 0; at < 12; at++) open.push((await quoted({ generation: at % 2 ? 'campaign' : 'project' })).id)
    await quoted({ quote_valid_until: addDays(app.make.today(), -1) })
    await app.make.project({ client_id: app.client.id, status: 'pricing' })
    await quoted({ client_id: (await app.make.client()).id })
    const client = app.as('client')
    const { data, count } = (await client.call('project.waiting')).body
    expect([count, data.map((row) => row.id)]).toEqual([12, open])
    for (const { id } of data)
      expect((await client.call('project.get', { id })).body.data.allowed_actions).toContain('project.approve')
  })

  test('are named in an email that links to the decision', async () => {
    for (const generation of ['project', 'campaign'] as const) {
      const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval', generation })
      expect((await app.as('admin').call('project.notifyCostNow', { id: project.id })).status).toBe(200)
      const mail = await app.db
        .selectFrom('mails')
        .selectAll()
        .where('about', '=', `project:${project.id}`)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      expect(`${mail.body}${mail.html}`).toContain(`http://fieldwork.test/survey-request/client-approval/${project.id}`)
    }
  })
})
