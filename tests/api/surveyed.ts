import type { Fieldwork } from './support.ts'

/** A client's project with a survey and a question, in field for a week. */
export async function fresh(app: Fieldwork, given: object = {}) {
  const made = await app.make.project({ client_id: app.client.id, ...given })
  return { project: made, survey: await app.make.survey({ project_id: made.id }) }
}

/** A survey's question with two options. */
export const question = (app: Fieldwork, survey_id: number, name = 'Which snack?') =>
  app.make.question({ survey_id, name, options: '["Chips","Nuts"]' })

let serial = 0
/** A respondent who completed an hour ago, by default. */
export const person = (more: object = {}) => ({
  respondent_id: `p${++serial}`,
  outcome: 'completes',
  at: new Date(Date.now() - 3_600_000).toISOString(),
  ...more,
})

/** Sends a batch as an administrator. */
export const send = (app: Fieldwork, surveyId: number, rows: object[]) =>
  app.as('admin').call('runtime.ingest', { surveyId, rows })
