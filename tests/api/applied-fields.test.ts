import { beforeAll, expect, test } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
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
  return answer.body as unknown as { data: Record<string, unknown>; message: string; ignored?: string[] }
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

/** A record with values that a change closes, for each call that edits one. */
interface Closing {
  make: () => Promise<{ id: number }>
  change: Record<string, unknown>
  /** The labels of what is cleared, and how the record has it then. */
  cleared: string
  blank: object
}
const CLOSES: Partial<Record<CallId, Closing>> = {
  'activity.edit': {
    make: () =>
      app.make.activity({
        ...{ project_id, activity_type: 'social', action_type: 'nothing', about: 'Post.' },
        ...{ social_type: 'facebook', social_link: 'https://social.example', social_text: 'Tried it?' },
      }),
    change: { activity_type: 'photo', action_type: 'photo' },
    cleared: 'Social type, Social text, Social link',
    blank: { social_type: '', social_link: '', social_text: '' },
  },
  'notification.edit': {
    make: () => app.make.notification({ message_action: 'web', url: 'https://a.example' }),
    change: { message_action: 'feed' },
    cleared: 'Link',
    blank: { url: '' },
  },
  'question.edit': {
    async make() {
      const { id: survey_id } = await app.make.survey({ project_id })
      const input = { survey_id, name: 'Which?', question_type: 'survey', answer_type: 'single', options: ['A', 'B'], order: 1 }
      return { id: Number((await send('POST', '/v3/portal/surveys/questions', input)).data.id) }
    },
    change: { answer_type: 'open', question_type: 'profile' },
    cleared: 'Answers, Order',
    blank: { options: [], order: 0 },
  },
  'target.edit': {
    async make() {
      const { id } = await app.make.activity({ project_id })
      const target = { age: ['1'], gender: ['male'], location_based: 'no', targeted_locations: ['501'] }
      await send('POST', '/v3/portal/activities/target', { activity_id: id, ...target })
      return { id }
    },
    change: { location_based: 'yes' },
    cleared: 'Market areas',
    blank: { targeted_locations: '' },
  },
}

test.each(Object.entries(CLOSES))('%s clears what no longer applies, says so, and an undo restores it', async (name, closing) => {
  const { id: record } = await closing.make()
  const input = { ...(name === 'target.edit' ? { activity_id: record } : { id: record }), ...closing.change }
  const write = async (more: object = {}) => {
    const answer = await app.as('admin').call(name as CallId, { ...input, ...more })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return { ...(answer.body as unknown as { data: object; message: string }), step: Number(answer.headers['x-undo']) }
  }
  const sentence = `leared, as no longer applicable: ${closing.cleared}.`
  expect((await write({ dry: 1 })).message).toContain(`Would be c${sentence}`)
  const saved = await write()
  expect(saved.data).toMatchObject(closing.blank)
  expect(saved.message).toContain(`C${sentence}`)
  expect((await write()).message).not.toContain('leared')
  await app.as('admin').call('undo.take', { id: saved.step })
  expect((await write({ dry: 1 })).message, 'after an undo').toContain(`Would be c${sentence}`)
})

test('a new activity or request leaves out what its type, provider or market doesn’t use, and says so', async () => {
  const audience = { age: ['1'], gender: ['male'], location_based: 'yes', targeted_locations: ['501'] }
  const survey = { activity_type: 'survey', url: 'https://s.example/1', social_text: 'Tried it?' }
  const whole = { project_id, name: 'Wave', about: 'Answer.', ...survey, ...audience }
  const made = await send('POST', '/v3/portal/activities/whole', whole)
  expect(made.ignored?.toSorted()).toEqual(['social_text', 'targeted_locations'])
  const plan = { client_id: app.client.id, name: 'Asked', goal: 5, start_dt: app.make.today(), end_dt: app.make.today() }
  const asked = await send('POST', '/v3/portal/projects/request', { ...plan, ...survey, ...audience, action_type: 'photo' })
  expect(asked.ignored?.toSorted()).toEqual(['action_type', 'social_text', 'targeted_locations'])
})
