import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const read = async (given: object = {}) => (await admin().call('campaign.requestList', given as never)).body.data
const idsOf = async (given: object) => (await read(given)).campaigns.map(({ id }) => id)

const project = (given: object = {}) =>
  app.make.project({ client_id: app.client.id, status: 'pricing', cost_cents: null, ordered: 100, ...given })
async function asked(given: object = {}, answers: readonly ('Yes' | 'No' | null)[] = [null]) {
  const made = await project(given)
  const partners = []
  for (const fill_requirements of answers) {
    const partner = await app.make.partner()
    await app.make.assign(made.id, partner.id)
    const answer = { project_id: made.id, partner_id: partner.id, round: 1, state: 'sent' as const, fill_requirements }
    const offer = { feasible_completes: 80, cpi_cents: 500, reason: fill_requirements === 'No' ? 'Sold out' : '' }
    if (fill_requirements) await app.make.proffer({ ...answer, fill_requirements, ...offer })
    partners.push(partner)
  }
  return { ...made, partners }
}

describe('the administrators’ list of requests', () => {
  test('names each invited partner with its answer', async () => {
    const { id, partners } = await asked({}, ['Yes', 'No', null])
    const row = (await read({ per_page: 500 })).campaigns.find((one) => one.id === id)!
    expect(
      row.channel!.partners.map(({ partner_id, answer, reason, cpi_cents }) => [partner_id, answer, reason, cpi_cents]),
    ).toEqual([
      [partners[0]!.id, 'yes', '', 500],
      [partners[1]!.id, 'no', 'Sold out', 500],
      [partners[2]!.id, 'waiting', '', null],
    ])
    expect(row.channel).toMatchObject({ answered: 2, yes: 1, declined: 1, silent: 1, fills: 80 })
  })

  test('can be filtered by what waits for us: inviting, pricing, renewing', async () => {
    const client_id = (await app.make.client()).id
    const made = {
      invite: await project({ client_id, status: 'requirements' }),
      waiting: await asked({ client_id }),
      answers: await asked({ client_id }, ['Yes']),
      quoted: await project({ client_id, status: 'submit_approval', quote_valid_until: addDays(app.make.today(), 9) }),
      expired: await project({ client_id, status: 'submit_approval', quote_valid_until: addDays(app.make.today(), -1) }),
    }
    const ours = await idsOf({ step: 'ours', client: client_id, column: 'step' })
    expect(ours).toEqual([made.invite.id, made.answers.id, made.expired.id])
    for (const [step, { id }] of Object.entries(made)) expect(await idsOf({ step, client: client_id }), step).toEqual([id])
    expect((await app.as('client').call('campaign.requestList', { step: 'ours' })).status).toBe(422)
  })

  test('sorts by the date on which the next person should act, and by answers', async () => {
    const client_id = (await app.make.client()).id
    const day = (days: number) => addDays(app.make.today(), days)
    const late = await asked({ client_id })
    const soon = await project({ client_id, status: 'submit_approval', quote_valid_until: day(2) })
    const answered = await asked({ client_id }, ['Yes', 'Yes'])
    await app.write((tx) =>
      tx
        .updateTable('project_partners')
        .set({ answer_by: day(5) })
        .where('project_id', '=', late.id)
        .execute(),
    )
    expect(await idsOf({ client: client_id, column: 'due' })).toEqual([soon.id, late.id, answered.id])
    expect((await idsOf({ client: client_id, column: 'answers', order: 'desc' }))[0]).toBe(answered.id)
  })

  test('is exported as filtered and sorted, for administrators only', async () => {
    const client_id = (await app.make.client({ name: 'Exported & Co' })).id
    const { id, name } = await asked({ client_id, name: 'Oat Diary' }, ['Yes', null])
    const columns = ['id', 'name', 'client', 'step', 'answers', 'invited', 'best', 'fills']
    const { text } = await exported(app, admin(), 'channel', { client: client_id }, columns)
    expect(text.trim().split('\r\n').slice(1)).toEqual([`${id},${name},Exported & Co,Answers in,1,2,5,80`])
    const refused = await app.as('client').call('export.start', { source: 'channel', filter: {} })
    expect(refused.status).toBe(403)
  })
})

test('an answer in the list of answers names its project, and when it was sent', async () => {
  const { id, name, partners } = await asked({ name: 'Shelf Test' }, ['Yes'])
  const { proffers } = (await admin().call('proffer.list', { partner_id: partners[0]!.id })).body.data
  expect(proffers).toMatchObject([{ project_id: id, project_name: name, generation: 'project' }])
  expect(Date.parse(proffers[0]!.sent_at)).not.toBeNaN()
})
