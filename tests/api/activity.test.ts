import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { everything } from './kept.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })

/** A survey project from the request form's call, with a survey and a targeted activity. */
async function requested() {
  const { body } = await client().call('request.create', {
    client_id: app.client.id,
    name: 'Shelf Diary',
    goal: 50,
    start_dt: '2026-12-01',
    activity_type: 'survey',
    url: 'https://survey.test/s',
    location_based: 'yes',
    age: ['2'],
    gender: ['male'],
  })
  return body.data
}
/** A photo from a participant. */
async function sent(project_id: number, activity_id: number, description = '') {
  const file = await app.make.file({ project_id, activity_id, kind: 'media', mime: 'image/png', description })
  await app.make.content({ project_id, activity_id, file_id: file.id, action: 'photo' })
  return file
}
/** The record in the response of a call by path. */
const dataOf = ({ body }: { body: unknown }) => (body as { data: Record<string, unknown> }).data
/** An activity with a survey that has this many completes. */
async function answered(completes: number, given: object = {}) {
  const { id: project_id } = await project(given)
  const activity = await app.make.activity({ project_id })
  const survey = await app.make.survey({ project_id, activity_id: activity.id })
  const rows = Array.from({ length: completes }, (_, at) => ({ respondent_id: `p${at}`, outcome: 'completes' }))
  // JSON takes at most 500 rows at a time.
  for (let at = 0; at < rows.length; at += 500)
    await admin().call('runtime.ingest', { surveyId: survey.id, rows: rows.slice(at, at + 500) })
  return { project_id, id: activity.id, survey_id: survey.id }
}

describe('activities', () => {
  test('are listed, and found by activity, project and client', async () => {
    const project = await requested()
    const found = (await admin().call('activity.list', { search: 'shelf' })).body
    expect(found.data[0]).toMatchObject({
      project_id: project.id,
      activity_type: 'survey',
      survey_id: expect.any(Number),
      client_name: app.client.name,
      project_status: 'requirements',
      audience: '18–24, Male, by location groups',
      target_version: 1,
    })
    expect((await admin().call('activity.listAll')).body.count).toBeGreaterThan(0)
    expect((await admin().call('activity.list', { search: 'nowhere' })).body.count).toBe(0)
    expect((await admin().call('activity.list', { search: `shelf ${app.client.name}` })).body.count).toBeGreaterThan(0)
  })

  test('are visible, with target, siblings and project, to everyone who sees the project', async () => {
    const project = await requested()
    const id = project.activities[0]!.id
    expect((await client().call('activity.get', { id })).body.data).toMatchObject({ id, name: 'Shelf Diary', nth: 1, of: 1 })
    expect((await client().call('activity.target', { id })).body.data).toMatchObject({ age: '2', gender: 'male', version: 1 })
    expect((await client().call('activity.ofProject', { id: project.id })).body.count).toBe(1)
    expect((await client().call('activity.project', { activity_id: id })).body.data).toMatchObject({
      id: project.id,
      status: 'Pending',
    })
  })

  test('of another client are hidden', async () => {
    const project = await requested()
    const stranger = await app.signIn(await app.make.user({ clients: [(await app.make.client()).id] }))
    const id = project.activities[0]!.id
    expect((await stranger.call('activity.get', { id })).status).toBe(404)
    expect((await stranger.call('activity.target', { id })).status).toBe(404)
    expect((await stranger.call('activity.project', { activity_id: id })).status).toBe(404)
    expect((await stranger.call('activity.ofCampaign', { id: project.id })).status).toBe(404)
  })

  test('can be filtered by type, status, client and missing parts, and sorted by every displayed column', async () => {
    const { id: client_id } = await app.make.client({ name: 'Filters Inc' })
    const running = await project({ client_id, status: 'active' })
    const photo = await app.make.activity({ project_id: running.id, activity_type: 'photo', action_type: 'photo' })
    const bare = await app.make.activity({ project_id: running.id })
    const tied = await app.make.activity({ project_id: (await project({ client_id, status: 'paused' })).id })
    await app.make.survey({ project_id: tied.project_id, activity_id: tied.id })
    const ids = async (input: object) =>
      (await admin().call('activity.listAll', { client: client_id, ...input })).body.data.map(({ id }) => id)
    expect(await ids({})).toEqual([tied.id, bare.id, photo.id])
    expect(await ids({ type: 'photo' })).toEqual([photo.id])
    expect(await ids({ status: 'paused' })).toEqual([tied.id])
    expect(await ids({ without: 'survey' })).toEqual([bare.id])
    expect(await ids({ without: 'target' })).toEqual([tied.id, bare.id, photo.id])
    expect(await ids({ column: 'project_status', order: 'asc' })).toEqual([photo.id, bare.id, tied.id])
    for (const column of ['name', 'client_name', 'survey_name', 'results', 'completes', 'content_count', 'start_dt'] as const)
      expect((await ids({ column })).sort(), column).toEqual([photo.id, bare.id, tied.id].sort())
  })

  test('of a family are read together', async () => {
    const parent = await project()
    const child = await project({ parent_id: parent.id })
    const [own, wave] = [await app.make.activity({ project_id: parent.id }), await app.make.activity({ project_id: child.id })]
    const ids = async (family?: boolean) =>
      (await admin().call('activity.ofProject', { id: parent.id, ...(family ? { family } : {}) })).body.data.map(({ id }) => id)
    expect([await ids(), await ids(true)]).toEqual([[own.id], [wave.id, own.id]])
  })

  test('show the same completes as every other screen', async () => {
    const { id, project_id } = await answered(7)
    const { data } = (await admin().call('activity.get', { id })).body
    expect(data).toMatchObject({ completes: 7, responses: 7, results: 7, content_count: 0 })
    expect((await admin().call('project.get', { id: project_id })).body.data.delivered).toBe(7)
  })
})

describe('a new activity', () => {
  test('inherits its project’s dates, and clears the action type of survey and social activities', async () => {
    const { id: project_id } = await project({ start_dt: '2026-11-02', end_dt: '2026-12-01' })
    const made = (
      await admin().call('activity.create', { project_id, name: 'Wave 1', about: 'Answer.', activity_type: 'survey' })
    ).body.data
    expect(made).toMatchObject({ action_type: 'nothing', start_dt: '2026-11-02', end_dt: '2026-12-01', survey_id: null })
    const wrong = { project_id, name: 'Wave 1', about: 'Post.', activity_type: 'social', action_type: 'photo' } as const
    expect((await admin().call('activity.create', wrong)).body.fields).toHaveProperty('action_type')
  })
  test('uses the specification’s messages', async () => {
    const { id: project_id } = await project()
    const fields = async (given: object) =>
      (
        await admin().raw('POST', '/v3/portal/activities', {
          project_id,
          name: 'One',
          about: 'Photos.',
          activity_type: 'photo',
          ...given,
        })
      ).body.fields
    expect(await fields({ name: ' ' })).toEqual({ name: 'Activity Name cannot be blank' })
    expect(await fields({})).toEqual({ action_type: 'Activity Action Type cannot be blank' })
    expect(await fields({ action_type: 'photo', start_dt: '2026-12-02', end_dt: '2026-12-01' })).toEqual({
      start_dt: 'Start Date has to be before End Date.',
    })
  })
  test('is refused in a completed or rejected project', async () => {
    for (const status of ['completed', 'rejected'] as const) {
      const { id: project_id } = await project({ status })
      const refused = await admin().call('activity.create', { project_id, name: 'Late', about: 'Late.', activity_type: 'survey' })
      expect([refused.status, refused.body.message]).toEqual([409, `The project is ${status}.`])
      const { data } = (await admin().call('project.get', { id: project_id })).body
      expect(data.refused_actions['activity.create']).toBe(`the project is ${status}`)
    }
  })
  test('warns about dates outside its project’s, but saves them', async () => {
    const { id: project_id } = await project({ start_dt: '2026-11-02', end_dt: '2026-12-01' })
    const dates = { start_dt: '2026-11-01', end_dt: '2026-12-02' }
    const early = { project_id, name: 'Early', about: 'Early.', activity_type: 'survey', ...dates } as const
    const { data, warnings } = (await admin().call('activity.create', early)).body
    expect([data.start_dt, warnings]).toEqual([
      '2026-11-01',
      ['It starts before its project, which starts on 11/02/2026.', 'It ends after its project, which ends on 12/01/2026.'],
    ])
  })
})

describe('an activity with its target and survey', () => {
  const audience = { location_based: 'no' as const, targeted_locations: ['501'], age: ['2', '3'], gender: ['female'] }
  const whole = {
    name: 'Shelf photos',
    about: 'Take one of the shelf.',
    activity_type: 'survey',
    url: 'https://survey.test/1',
  } as const
  test('is created in one write, and undone as one', async () => {
    const { id: project_id } = await project()
    const before = await everything(app)
    const made = await admin().call('activity.whole', { project_id, ...whole, ...audience })
    const { id } = made.body.data
    expect(made.body.data).toMatchObject({
      survey_name: 'Shelf photos',
      target_version: 1,
      audience: '18–34, Female, one market area',
    })
    expect((await admin().call('survey.ofActivity', { id })).body.data).toMatchObject({ survey_link: 'https://survey.test/1' })
    await admin().call('undo.take', { id: Number(made.headers['x-undo']) })
    expect((await admin().call('activity.get', { id })).status).toBe(404)
    expect((await everything(app)).targets).toEqual(before.targets)
  })
  test('needs files or an address by its type alone', async () => {
    const { id: project_id } = await project()
    const needed = async (given: object) =>
      Object.keys((await admin().call('activity.whole', { project_id, ...whole, url: '', ...given } as never)).body.fields ?? {})
    expect(await needed({})).toEqual(['url'])
    expect(await needed({ activity_type: 'photo', action_type: 'comment' })).toEqual(['file_ids'])
  })
  test('has no target when no audience was filled in', async () => {
    const { id: project_id } = await project()
    const { data } = (await admin().call('activity.whole', { project_id, ...whole })).body
    expect([data.target_version, data.audience]).toEqual([null, 'Any'])
  })
  test('uses the form’s messages', async () => {
    const { id: project_id } = await project()
    const fields = async (given: object) =>
      (await admin().raw('POST', '/v3/portal/activities/whole', { project_id, ...whole, ...given })).body.fields
    expect(await fields({ about: '' })).toEqual({ about: 'Activity Description cannot be blank' })
    expect(await fields({ url: '' })).toEqual({ url: 'Please upload a File or add a URL to the survey Project' })
    expect(await fields({ activity_type: 'video' })).toEqual({
      action_type: 'Activity Action Type cannot be blank',
      file_ids: 'Please upload at least one file',
    })
    expect(await fields({ ...audience, age: [] })).toEqual({ age: 'Please choose at least one age' })
    expect(await fields({ ...audience, gender: [] })).toEqual({ gender: 'Please choose at least one gender' })
    expect(await fields({ ...audience, targeted_locations: [] })).toEqual({
      targeted_locations: 'Please choose at least one target market',
    })
  })
  test('links an existing survey instead of creating one', async () => {
    const { id: project_id } = await project()
    const survey = await app.make.survey({ project_id })
    const { data } = (await admin().call('activity.whole', { project_id, ...whole, url: '', survey_id: survey.id })).body
    expect([data.survey_id, (await admin().call('survey.ofProject', { id: project_id })).body.count]).toEqual([survey.id, 1])
  })
})

describe('an edit', () => {
  test('changes only the fields sent, and refuses to blank a text', async () => {
    const { id } = await app.make.activity({ project_id: (await project()).id, about: 'Look around.' })
    const edit = (given: object) => admin().raw('PUT', '/v3/portal/activities', { id, ...given })
    expect(dataOf(await edit({ about: 'Look twice.', lock_version: 1 }))).toMatchObject({
      about: 'Look twice.',
      lock_version: 2,
    })
    expect((await edit({ about: '' })).body.fields).toEqual({ about: MESSAGES.activityAbout })
    expect((await edit({ name: '' })).body.fields).toEqual({ name: MESSAGES.activityName })
    expect((await edit({ start_dt: '2026-12-02', end_dt: '2026-12-01' })).body.fields).toEqual({
      start_dt: MESSAGES.startBeforeEnd,
    })
    expect((await edit({ about: 'Mine', lock_version: 1 })).status).toBe(409)
    expect((await edit({ action_type: 'photo' })).status).toBe(422)
  })
  test('of the type clears the action type for survey and social, and requires one for photo and video', async () => {
    const { id } = await app.make.activity({ project_id: (await project()).id, activity_type: 'photo', action_type: 'comment' })
    const edit = (given: object) => admin().raw('PUT', '/v3/portal/activities', { id, ...given })
    expect(dataOf(await edit({ activity_type: 'social' }))).toMatchObject({ activity_type: 'social', action_type: 'nothing' })
    expect((await edit({ activity_type: 'video', action_type: '' })).body.fields).toEqual({ action_type: MESSAGES.actionType })
    expect(dataOf(await edit({ activity_type: 'video', action_type: 'photo' }))).toMatchObject({ action_type: 'photo' })
  })
  test('of the type is refused once there are responses', async () => {
    const { id } = await answered(2)
    const refused = await admin().call('activity.edit', { id, activity_type: 'photo', action_type: 'photo' })
    expect([refused.status, refused.body.message]).toEqual([409, 'It has 2 completes.'])
  })
})

describe('deleting an activity', () => {
  test('is refused while there are responses, and says how many', async () => {
    const { id } = await answered(1204)
    const refused = await admin().call('activity.remove', { id })
    expect([refused.status, refused.body.message]).toEqual([409, 'It has 1,204 completes.'])
    expect((await admin().call('activity.get', { id })).body.data.refused_actions['activity.remove']).toBe(
      'it has 1,204 completes',
    )
  })
  test('deletes its photos and audience but not its survey, and undo restores everything', async () => {
    const { id, project_id, survey_id } = await answered(0)
    await app.make.target({ activity_id: id, age: '2,3' })
    const photo = await sent(project_id, id)
    const asset = await app.make.file({ project_id, activity_id: id, kind: 'asset' })
    const before = await everything(app)
    const removed = await admin().call('activity.remove', { id })
    expect(removed.status).toBe(200)
    expect((await admin().call('activity.get', { id })).status).toBe(404)
    expect((await admin().call('survey.get', { id: survey_id })).body.data).toMatchObject({ project_id, activity_id: null })
    const files = await app.db.selectFrom('files').select(['id', 'activity_id']).where('id', 'in', [photo.id, asset.id]).execute()
    expect(files).toEqual([{ id: asset.id, activity_id: null }])
    expect(await app.db.selectFrom('targets').select('id').where('activity_id', '=', id).execute()).toEqual([])
    await admin().call('undo.take', { id: Number(removed.headers['x-undo']) })
    const after = await everything(app)
    // What came back has the time of its return.
    const timeless = (rows: string) => rows.replace(/"updated_at":"[^"]*"/g, '')
    for (const table of ['targets', 'activity_location_groups', 'user_activities'] as const)
      expect(timeless(after[table]!)).toEqual(timeless(before[table]!))
    expect((await admin().call('activity.get', { id })).body.data).toMatchObject({ survey_id, content_count: 1 })
  })
  test('works the same in the older spelling', async () => {
    const { id } = await answered(0)
    expect((await admin().raw('DELETE', `/v1/campaigns/activity_destroy/${id}.json`)).status).toBe(200)
    expect((await admin().call('activity.get', { id })).status).toBe(404)
  })
})

describe('a copy', () => {
  test('keeps audience and groups, but not survey and responses', async () => {
    const { id, project_id } = await answered(3)
    await app.make.target({ activity_id: id, version: 4, age: '2' })
    const { data } = (await admin().call('activity.duplicate', { activity_id: id })).body
    expect(data).toMatchObject({
      project_id,
      target_version: 1,
      audience: '18–24, all genders',
      survey_id: null,
      completes: 0,
      of: 2,
    })
  })
})

describe('linking a survey', () => {
  test('moves it from another activity, and is reverted by undo or a blank survey_id', async () => {
    const approved = { status: 'approved' }
    const [first, second] = [await answered(0, approved), await answered(0, approved)]
    const moved = { activity_id: first.id, survey_id: second.survey_id }
    const linked = await admin().raw('POST', '/v3/portal/activities/linksurvey/', moved)
    expect(dataOf(linked)).toMatchObject({ survey_id: second.survey_id })
    expect((await admin().call('survey.get', { id: first.survey_id })).body.data.activity_id).toBeNull()
    expect((await admin().call('activity.get', { id: second.id })).body.data.survey_id).toBeNull()
    expect((await admin().call('survey.get', { id: second.survey_id })).body.data.project_id).toBe(first.project_id)
    await admin().call('undo.take', { id: Number(linked.headers['x-undo']) })
    expect((await admin().call('activity.get', { id: first.id })).body.data.survey_id).toBe(first.survey_id)
    expect((await admin().call('activity.get', { id: second.id })).body.data.survey_id).toBe(second.survey_id)
    const unlinked = await admin().raw('POST', '/v3/portal/activities/linksurvey/', { activity_id: first.id, survey_id: null })
    expect(dataOf(unlinked)).toMatchObject({ survey_id: null })
  })
  test('can’t be ended in field, is for survey activities only, and moves no responses to another project', async () => {
    const running = await answered(2, { status: 'active' })
    const refused = await admin().call('activity.linkSurvey', { activity_id: running.id, survey_id: null })
    expect([refused.status, refused.body.message]).toEqual([409, "It's in field."])
    const photo = await app.make.activity({ project_id: running.project_id, activity_type: 'photo', action_type: 'photo' })
    const wrong = await admin().call('activity.linkSurvey', { activity_id: photo.id, survey_id: running.survey_id })
    expect([wrong.status, wrong.body.message]).toEqual([409, 'Only a survey activity has a survey.'])
    const other = await answered(0)
    const away = await admin().call('activity.linkSurvey', { activity_id: other.id, survey_id: running.survey_id })
    expect([away.status, away.body.message]).toEqual([409, `It has 2 responses in P-${running.project_id}, where they count.`])
  })
})

describe('the files of an edit', () => {
  const loose = (given: object = {}) =>
    app.make.file({ project_id: null, kind: 'asset', uploaded_by: app.admin.id, ...given }).then(({ id }) => id)
  const filesOf = async (id: number) => (await admin().call('activity.get', { id })).body.data.assets.map((file) => file.id)

  test.each(['activity.edit', 'activity.editOlder'] as const)('%s saves files and fields together, or neither', async (call) => {
    const { id } = await answered(0)
    const files = [await loose(), await loose()]
    const wrong = await admin().call(call, { id, about: 'Not kept', file_ids: [files[0]!, 999_999] })
    expect([wrong.status, wrong.body.fields.file_ids]).toEqual([422, 'file_ids has a file that can’t be attached: 999999'])
    expect((await admin().call('activity.get', { id })).body.data).toMatchObject({ about: '', assets: [] })
    const elsewhere = await loose({ project_id: (await project()).id })
    expect((await admin().call(call, { id, file_ids: [elsewhere] })).body.fields).toHaveProperty('file_ids')
    const stale = await admin().call(call, { id, about: 'Not kept', file_ids: files, lock_version: 99 })
    expect([stale.status, await filesOf(id)]).toEqual([409, []])
    const saved = await admin().call(call, { id, about: 'Kept', file_ids: files })
    expect(saved.status, saved.text).toBe(200)
    expect(await filesOf(id)).toEqual(files)
    await admin().call('undo.take', { id: Number(saved.headers['x-undo']) })
    expect((await admin().call('activity.get', { id })).body.data).toMatchObject({ about: '', assets: [] })
  })
  test('are saved with its survey’s and its campaign’s address in one write', async () => {
    const { id, project_id, survey_id } = await answered(0, { generation: 'campaign' })
    const [file, survey_link] = [await loose(), 'https://survey.test/moved']
    const more = { survey_link, survey_url: survey_link, file_ids: [file] }
    const refused = await admin().call('activity.editOlder', { id, ...more, survey_url: 'nowhere' })
    expect(refused.body.fields).toHaveProperty('survey_url')
    const saved = await admin().call('activity.editOlder', { id, ...more })
    expect(saved.body.data).toMatchObject({ survey_link, survey_url: survey_link })
    expect((await admin().call('campaign.get', { id: project_id })).body.data.survey_url).toBe(survey_link)
    expect((await admin().call('survey.get', { id: survey_id })).body.data.survey_link).toBe(survey_link)
    expect(await filesOf(id)).toEqual([file])
    await admin().call('undo.take', { id: Number(saved.headers['x-undo']) })
    expect((await admin().call('campaign.get', { id: project_id })).body.data.survey_url).not.toBe(survey_link)
  })
})

describe('the older spelling', () => {
  test('lists a campaign’s activities with what participants sent', async () => {
    const { id } = await project({ generation: 'campaign' })
    const photo = await app.make.activity({
      project_id: id,
      activity_type: 'photo',
      action_type: 'photo',
      url: 'https://a.test/p',
    })
    await sent(id, photo.id, 'The shelf')
    const { data } = (await client().raw('GET', `/v1/activities/index_for_campaign?id=${id}`)).body as unknown as {
      data: { count: number; activities: object[] }
    }
    expect(data).toMatchObject({
      count: 1,
      activities: [
        {
          id: photo.id,
          activity_type: 'photo',
          user_activities: 1,
          content: {
            content_type: 'photo',
            url: 'https://a.test/p',
            photos: [{ about: 'The shelf', thumb: expect.any(String) }],
          },
        },
      ],
    })
  })
  test('changes nothing when written back as read, and changes each field it names', async () => {
    const { id, project_id, survey_id } = await answered(0)
    const read = async () => (await admin().call('activity.getOlder', { id })).body.data
    const first = await read()
    expect(dataOf(await admin().raw('PUT', `/v1/activities/${id}`, first))).toEqual(first)
    const place = await app.write((tx) =>
      tx
        .insertInto('places')
        .values({ name: 'Store 1', address: '', latitude: null, longitude: null, deleted_at: null })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const group = await app.make.group({ client_id: app.client.id })
    const given = {
      about: 'Another text',
      survey_link: 'https://survey.test/other',
      location_id: place.id,
      location_group: group.id,
      notification_id: 7,
      content: { url: 'https://a.test/c' },
    }
    const data = dataOf(await admin().raw('PUT', `/v1/activities/${id}`, { activity: given }))
    expect(data).toMatchObject({ ...given, content: { ...first.content, url: 'https://a.test/c' } })
    expect((await admin().call('survey.get', { id: survey_id })).body.data.survey_link).toBe('https://survey.test/other')
    const other = await app.make.group({ client_id: (await app.make.client()).id })
    expect((await admin().raw('PUT', `/v1/activities/${id}`, { location_group: other.id })).body.fields).toHaveProperty(
      'location_group',
    )
    expect((await admin().raw('PUT', `/v1/activities/${id}`, { location_id: 999_999 })).body.fields).toHaveProperty('location_id')
    expect((await client().raw('PUT', `/v1/activities/${id}`, { about: 'No' })).status).toBe(403)
    expect(project_id).toBeGreaterThan(0)
  })
})
