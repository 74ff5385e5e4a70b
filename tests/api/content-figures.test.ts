import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

describe('participants’ content', () => {
  test('has the same count in the sections, attributes, lists and activities of a family, for every reader', async () => {
    const parent = await app.make.project({ client_id: app.client.id })
    const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id })
    const shelf = await app.make.activity({ project_id: parent.id, activity_type: 'photo' })
    const wave = await app.make.activity({ project_id: child.id, activity_type: 'social' })
    const sent = [
      [shelf, 'photo', 'open'],
      [shelf, 'photo', 'accepted'],
      [shelf, 'photo', 'rejected'],
      [shelf, 'comment', 'open'],
      [wave, 'video', 'accepted'],
      [wave, 'comment', 'rejected'],
      [wave, 'social', 'open'],
      [wave, 'social', 'rejected'],
    ] as const
    for (const [{ id, project_id }, action, review] of sent)
      await app.make.content({ activity_id: id, project_id, action, review, comment: action === 'comment' ? 'Hm' : '' })
    const hidden = await app.make.activity({ project_id: child.id, activity_type: 'photo' })
    await app.make.content({ activity_id: hidden.id, project_id: child.id, action: 'photo' })
    await app.as('admin').call('activity.remove', { id: hidden.id })
    for (const [who, photos, videos, comments, social] of [
      ['admin', 3, 1, 2, 2],
      ['client', 2, 1, 1, 1],
    ] as const) {
      const reader = app.as(who)
      const summary = (await reader.call('content.summary', { id: parent.id })).body.data
      expect([summary.photos.all, summary.videos.all, summary.comments.all], who).toEqual([photos, videos, comments])
      const attributes = (await reader.call('project.attributes', { id: parent.id })).body.data
      const countOf = (key: string) => attributes.find((one) => one.key === key)!.value
      expect([countOf('photos'), countOf('videos'), countOf('comments')], who).toEqual([photos, videos, comments])
      const listed = async (section: 'photos' | 'videos' | 'comments') =>
        (await reader.call('content.list', { project_id: parent.id, section })).body.count
      expect([await listed('photos'), await listed('videos'), await listed('comments')], who).toEqual([photos, videos, comments])
      const { data } = (await reader.call('activity.ofProject', { id: parent.id, family: true })).body
      const counted = new Map(summary.activities.map(({ id, count }) => [id, count]))
      expect(
        data.map(({ id, content_count }) => [id, content_count]),
        who,
      ).toEqual(data.map(({ id }) => [id, counted.get(id)]))
      expect(
        summary.activities.reduce((sum, { count }) => sum + count, 0),
        who,
      ).toBe(photos + videos + comments + social)
    }
    const acted = async (id: number) => (await app.as('admin').call('content.actors', { id })).body.data.actions
    expect([await acted(shelf.id), await acted(wave.id)]).toEqual([4, 4])
  })
})

test('an item’s reported position matches its list, in any order and under any filter', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  const activity = await app.make.activity({ project_id: project.id, activity_type: 'photo' })
  const made = []
  for (const [day, review] of [
    [1, 'open'],
    [3, 'accepted'],
    [2, 'rejected'],
    [2, 'open'],
  ] as const)
    made.push(
      await app.make.content({
        activity_id: activity.id,
        project_id: project.id,
        action: 'photo',
        review,
        at: `2026-03-0${day}T12:00:00.000Z`,
      }),
    )
  for (const who of ['admin', 'client'] as const)
    for (const more of [{}, { column: 'at', order: 'asc' }, { review: 'open' }] as const) {
      const filter = { project_id: project.id, ...more }
      const ids = (await app.as(who).call('content.list', filter)).body.data.map(({ id }) => id)
      for (const { id } of made) {
        const { status, body } = await app.as(who).call('content.place', { id, ...filter })
        const index = ids.indexOf(id)
        if (who === 'client' && id === made[2]!.id) expect(status).toBe(404)
        else expect(body.data, `${who} ${JSON.stringify(more)}`).toEqual({ id, index: index < 0 ? null : index })
      }
    }
})

describe('the respondents of a survey activity', () => {
  test('are exported as filtered, without addresses, across several pages', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const activity = await app.make.activity({ project_id: project.id, activity_type: 'survey', name: 'Entry survey' })
    for (const [of, count] of [
      ['a', 1001],
      ['b', 2],
    ] as const) {
      const survey = await app.make.survey({ project_id: project.id, activity_id: activity.id, name: `Wave ${of}` })
      const rows = Array.from({ length: count }, (_, at) => ({
        respondent_id: `${of}-${String(at).padStart(4, '0')}`,
        outcome: at === 1 ? 'partials' : 'completes',
        at: at === 0 ? '2026-03-01T10:00:00Z' : '2026-03-05T10:00:00Z',
        email: 'pat@example.com',
      }))
      for (let at = 0; at < count; at += 500)
        await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows: rows.slice(at, at + 500) })
    }
    const all = await exported(app, app.as('admin'), 'respondents', { id: activity.id })
    expect([all.rows(), all.job.total, all.job.result.file_name]).toEqual([
      1003,
      1003,
      expect.stringMatching(/^Entry-survey-respondents/),
    ])
    expect(all.text.split('\r\n')[0]).toBe('\uFEFFPerson,Outcome,Market area,When,Survey')
    expect(all.text).not.toContain('pat@')
    expect(new Set(all.text.match(/[ab]-\d{4}/g)).size).toBe(1003)
    const few = await exported(
      app,
      app.as('admin'),
      'respondents',
      { id: activity.id, outcome: 'completes', from: '2026-03-01', to: '2026-03-02' },
      ['person', 'outcome'],
    )
    expect(few.text.trimEnd().split('\r\n')).toEqual(['\uFEFFPerson,Outcome', 'a-0000,Completes', 'b-0000,Completes'])
    const shown = await app.as('admin').call('content.respondents', { id: activity.id, from: '2026-03-02', outcome: 'completes' })
    expect([shown.body.count, shown.body.data[0]!.person]).toEqual([999, 'a-0002'])
    expect((await app.as('admin').call('content.actors', { id: activity.id })).body.data).toMatchObject({ people: 1003 })
    const ask = (who: 'client' | 'admin', filter: Record<string, unknown>) =>
      app.as(who).call('export.start', { source: 'respondents', filter })
    expect((await ask('client', { id: activity.id })).status).toBe(403)
    expect((await ask('admin', { id: activity.id, outcome: 'dance' })).status).toBe(422)
  })
})
