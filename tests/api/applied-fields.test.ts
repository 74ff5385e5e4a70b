import { beforeAll, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

// What fills a field, and whether it applies beside others, holds for programs as for forms.
let app: Fieldwork
let project_id: number
beforeAll(async () => {
  app = await fieldwork()
  ;({ id: project_id } = await app.make.project({ client_id: app.client.id }))
})
const send = async (method: string, url: string, body: object) => {
  const answer = await app.as('admin').raw(method, url, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as { data: Record<string, unknown>; ignored?: string[] }
}

test('a reward without a code gets that of its provider and amount', async () => {
  const made = await send('POST', '/v3/portal/rewards', { project_id, name: 'Card', amount: 5, provider_code: '\u200b' })
  expect(made.data.provider_code).toBe('GC-005')
  const { id, lock_version } = made.data
  const second = await send('PUT', '/v3/portal/rewards', { id, lock_version, partner_id: 600, amount: 20, provider_code: '' })
  expect(second.data.provider_code).toBe('PP-020')
  const third = await send('PUT', '/v3/portal/rewards', { id, amount: 25 })
  expect(third.data.provider_code, 'which isn’t sent').toBe('PP-020')
})

test('the second provider’s project has a reward of its usual amount if none is sent', async () => {
  const start_dt = app.make.today()
  const made = await send('POST', '/v3/portal/projects', {
    name: 'Paid',
    client_id: app.client.id,
    goal: 5,
    start_dt,
    partner_id: 600,
  })
  const rewards = await app.db.selectFrom('rewards').selectAll().where('project_id', '=', Number(made.data.id)).execute()
  expect(rewards).toMatchObject([{ amount_cents: 500, provider_code: 'PP-005' }])
})

test('what doesn’t apply beside other values is left out, and the answer says so', async () => {
  const about = 'Answer ten questions.'
  const sent = { project_id, name: 'Survey', about, activity_type: 'survey', social_text: 'Have you tried it?' }
  const activity = await send('POST', '/v3/portal/activities', sent)
  expect([activity.data.social_text, activity.ignored]).toEqual(['', ['social_text']])
  const changed = await send('PUT', '/v3/portal/activities', { id: activity.data.id, social_text: 'Again', name: 'Renamed' })
  expect([changed.data.name, changed.data.social_text, changed.ignored]).toEqual(['Renamed', '', ['social_text']])
  const social = await send('PUT', '/v3/portal/activities', { id: activity.data.id, activity_type: 'social', social_text: 'Now' })
  expect([social.data.social_text, social.ignored]).toEqual(['Now', undefined])

  const map = { name: 'Map', message: 'Look', message_action: 'map', url: 'https://a.example' }
  const notification = await send('POST', '/v1/notifications', map)
  expect([notification.data.url, notification.ignored]).toEqual(['', ['url']])

  const survey = await app.make.survey({ project_id })
  const profile = { survey_id: survey.id, name: 'Who are you?', question_type: 'profile', answer_type: 'open', order: 3 }
  const question = await send('POST', '/v3/portal/surveys/questions', profile)
  expect([question.data.order, question.ignored]).toEqual([0, ['order']])
})
