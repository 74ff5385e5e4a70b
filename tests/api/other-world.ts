import type { Fieldwork, Person } from './support.ts'

/** Part of every text of the other client: wherever it appears, something leaked. */
export const SECRET = 'Zanzibar'

/** Another client with one of everything, each marked, and a user of theirs. */
export async function otherWorld(app: Fieldwork) {
  const { make } = app
  const at = new Date().toISOString()
  // Unique ids: one of theirs must never equal one of ours by chance.
  let serial = 500_000
  const id = () => {
    serial += 1000
    return serial
  }
  const stamps = { created_at: at, updated_at: at }
  const client = await make.client({ id: id(), name: `${SECRET} Foods` })
  const user = await make.user({
    id: id(),
    first_name: SECRET,
    company: SECRET,
    email: 'zanzibar@mail.test',
    clients: [client.id],
  })
  const person = await app.signIn(user)
  const project = await make.project({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Snacks`,
    description: SECRET,
    status: 'submit_approval',
    quote_valid_until: null,
  })
  const campaign = await make.project({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Campaign`,
    generation: 'campaign',
    requested_by: user.id,
  })
  const child = await make.project({ id: id(), client_id: client.id, name: `${SECRET} Child`, parent_id: project.id })
  const team = await make.team({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Team`,
    users: [user.id],
    projects: [campaign.id],
  })
  const survey = await make.survey({ id: id(), project_id: project.id, name: `${SECRET} Survey` })
  const entry = await make.entry({ id: id(), project_id: project.id, survey_id: survey.id, email: 'zanzibar-winner@mail.test' })
  const note = await make.note({ id: id(), project_id: project.id, note: SECRET, author_id: app.admin.id })
  const activity = await make.activity({ id: id(), project_id: project.id, name: SECRET, about: SECRET, social_text: SECRET })
  const target = await make.target({ id: id(), activity_id: activity.id, age: SECRET })
  const question = await make.question({ id: id(), survey_id: survey.id, name: SECRET, options: `["${SECRET}"]` })
  const group = await make.group({ id: id(), client_id: client.id, name: SECRET })
  const place = await make.place({ id: id(), name: `${SECRET} Store`, address: SECRET })
  await app.as('admin').call('group.addLocations', { location_group_id: group.id, location_id: place.id })
  await app.as('admin').call('activity.linkGroups', { activity_id: activity.id, location_group_id: group.id })
  const brand = await make.brand({ id: id(), name: `${SECRET} Coffee` })
  const service = await make.service({ id: id(), brand_id: brand.id, name: `${SECRET} Houses`, s3_bucket: `s3://${SECRET}` })
  await app.as('admin').call('service.addUser', { user_id: user.id, service_id: service.id })
  const filter = await make.filter({ id: id(), user_id: user.id, brand_id: brand.id, name: `${SECRET} filter` })
  const venue = await app.write((tx) =>
    tx
      .insertInto('venues')
      .values({
        ...{ id: id(), service_id: service.id, code: SECRET, name: SECRET, address: SECRET, dma: 501, placed: 'given' },
        ...{ latitude: 40.7, longitude: -74, since: at.slice(0, 10), deleted_at: null, ...stamps },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const added = await app.write(async (tx) => {
    const views: number[] = []
    for (const shared of ['own', 'colleagues'] as const) {
      const view = { id: id(), ...stamps, user_id: user.id, screen: 'allProjects', query: `search=${SECRET}`, shared }
      const name = `${SECRET} ${shared}`
      await tx
        .insertInto('views')
        .values({ ...view, name, name_key: name.toLowerCase() })
        .execute()
      views.push(view.id)
    }
    return {
      note: note.id,
      activity: activity.id,
      target: target.id,
      question: question.id,
      group: group.id,
      place: place.id,
      view: views[0]!,
      sharedView: views[1]!,
      brand: brand.id,
      service: service.id,
      filter: filter.id,
      venue: venue.id,
    }
  })
  await app.as('admin').call('runtime.ingest', {
    surveyId: survey.id,
    rows: [{ respondent_id: SECRET, outcome: 'completes', answers: { [added.question]: SECRET } }],
  })
  const file = await upload(person, project.id)
  const job = (await person.call('export.start', { source: 'projects', filter: {} })).body.data.id
  await app.services.jobs.settled(job, 10_000)
  const session = (await person.call('account.sessions')).body.data[0]!.id
  const moved = await app.write(async (tx) => {
    const to = { job: id(), file: id(), session: id() }
    await tx
      .updateTable('jobs')
      .set({ id: to.job as never })
      .where('id', '=', job)
      .execute()
    await tx
      .updateTable('files')
      .set({ id: to.file as never })
      .where('id', '=', file)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ id: to.session as never })
      .where('id', '=', session)
      .execute()
    return to
  })
  const ids = {
    client: client.id,
    user: user.id,
    project: project.id,
    campaign: campaign.id,
    child: child.id,
    team: team.id,
    survey: survey.id,
    entry: entry.id,
    ...moved,
    ...added,
  }
  return { ids, person }
}

/** Uploads a file to a project; returns its id, or 0 when refused. */
export async function upload(who: Person, project_id: number, name = `${SECRET}.txt`): Promise<number> {
  const form = new FormData()
  form.append('project_id', String(project_id))
  form.append('asset_type', 'Creative Assets')
  form.append('file', new Blob([`${SECRET} inside`]), name)
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  const answer = await who.raw('POST', '/v3/portal/files', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type')!,
  })
  return (answer.body as unknown as { data: { id: number }[] }).data?.[0]?.id ?? 0
}
