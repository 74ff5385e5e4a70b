import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const read = async (id: number) => (await admin().call('project.get', { id })).body.data
async function whole() {
  const { id } = await app.make.project({ client_id: app.client.id, name: 'Snack Pulse' })
  const activity = await app.make.activity({ project_id: id, name: 'Wave 1', activity_type: 'survey', action_type: 'nothing' })
  await app.make.target({ activity_id: activity.id, age: '2,3', gender: 'female', location_based: 'yes', targeted_locations: '' })
  return { id, activity }
}

describe('one edit of a project, its activity and its audience', () => {
  test('writes all three in one transaction, each with its own lock', async () => {
    const { id, activity } = await whole()
    const before = await read(id)
    const { status } = await admin().call('project.edit', {
      id,
      name: 'Snack Pulse 2',
      lock_version: before.lock_version,
      activity: { id: activity.id, name: 'Wave one', lock_version: before.activities[0]!.lock_version },
      target: { activity_id: activity.id, version: 1, age: ['4'] },
    })
    expect(status).toBe(200)
    const after = await read(id)
    expect(after).toMatchObject({ name: 'Snack Pulse 2', activities: [{ name: 'Wave one', target: { age: '4', version: 2 } }] })
    expect(after.lock_version).toBeGreaterThan(before.lock_version)
  })

  test('with a stale target writes nothing, and returns their version', async () => {
    const { id, activity } = await whole()
    await admin().call('target.edit', { activity_id: activity.id, version: 1, age: ['5'] })
    const { status, body } = await admin().call('project.edit', {
      id,
      name: 'Not written',
      target: { activity_id: activity.id, version: 1, age: ['4'] },
    })
    expect([status, body.code]).toEqual([409, 'stale'])
    expect((body as { theirs?: unknown }).theirs).toMatchObject({ target: { age: '5', version: 2 }, name: 'Snack Pulse' })
    expect((await read(id)).name).toBe('Snack Pulse')
  })

  test('names an invalid field with its part', async () => {
    const { id, activity } = await whole()
    const given = { id, target: { activity_id: activity.id, location_based: 'no' } }
    const refused = await admin().call('project.edit', given)
    expect(refused.body.fields).toEqual({ 'target.targeted_locations': 'Please choose at least one target market' })
    const blank = await admin().call('project.edit', { id, activity: { id: activity.id, name: ' ' } })
    expect(blank.body.fields).toEqual({ 'activity.name': 'Activity Name cannot be blank' })
  })

  test('refuses an activity of another project', async () => {
    const [one, other] = [await whole(), await whole()]
    const { status, body } = await admin().call('project.edit', { id: one.id, activity: { id: other.activity.id, name: 'Mine' } })
    expect([status, Object.keys(body.fields)]).toEqual([422, ['activity.id']])
  })

  test('is reverted by undo', async () => {
    const { id, activity } = await whole()
    const target = { activity_id: activity.id, age: ['4'] }
    const made = await admin().call('project.edit', { id, name: 'Other', activity: { id: activity.id, name: 'Other' }, target })
    await admin().call('undo.take', { id: Number(made.headers['x-undo']) })
    expect(await read(id)).toMatchObject({ name: 'Snack Pulse', activities: [{ name: 'Wave 1', target: { age: '2,3' } }] })
  })
})

test('a campaign’s edit adds a survey activity with its audience in the same transaction', async () => {
  const { id } = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
  const survey_activity = {
    project_id: id,
    name: 'Second survey',
    about: 'Asks again',
    activity_type: 'survey' as const,
    url: 'https://survey.test/again',
    location_based: 'yes' as const,
    age: ['2'],
    gender: ['female'],
  }
  await admin().call('campaign.edit', { id, survey_url: survey_activity.url, survey_activity })
  expect(await read(id)).toMatchObject({
    survey_url: 'https://survey.test/again',
    activities: [{ name: 'Second survey', target: { age: '2', gender: 'female' } }],
    surveys: [{ survey_link: 'https://survey.test/again' }],
  })
  const refused = await admin().call('campaign.edit', { id, survey_activity: { ...survey_activity, gender: [] } })
  expect(refused.body.fields).toEqual({ 'survey_activity.gender': 'Please choose at least one gender' })
})
