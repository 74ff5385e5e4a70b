import { ETHNICITIES, GENDERS, MARITAL, OUTCOMES } from '../../contract/vocabulary.ts'
import type { Database } from '../../server/db/connect.ts'
import type { ProjectRecord } from '../../server/domain/project/storedProject.ts'
import type { RespondentInput } from '../../server/domain/runtime/intake.ts'
import { makers } from './makers.ts'

/** The dates of generated respondents and projects. */
export const figureDates = { start: '2026-03-01', end: '2026-03-20', today: '2026-03-12' }

const CITIES = Array.from({ length: 30 }, (_, at) => ({ latitude: 28 + ((at * 7) % 18), longitude: -120 + ((at * 11) % 45) }))

/** A client, an active project and a survey with two questions: the least respondents need. */
export async function makeSurvey(database: Database): Promise<{ project: ProjectRecord; survey: number; questions: number[] }> {
  const make = makers({ database, settings: { timeZone: 'America/New_York' } })
  const created_at = '2026-02-01T00:00:00.000Z'
  const client = await make.client({ created_at, name: 'Harbor Foods' })
  const dates = { start_dt: figureDates.start, end_dt: figureDates.end }
  const project = await make.project({ ...dates, created_at, client_id: client.id, name: 'Summer Snack Tracker', ordered: 1000 })
  const survey = await make.survey({ created_at, project_id: project.id, name: 'Snacks', questions_count: 2 })
  const options = JSON.stringify(['Chips', 'Nuts', 'Fruit'])
  const questions: number[] = []
  for (const [at, name] of ['Which snack do you buy?', 'Where?'].entries())
    questions.push((await make.question({ created_at, survey_id: survey.id, name, position: at + 1, options })).id)
  return { project, survey: survey.id, questions }
}

/** Generates respondents from a seed; every field is sometimes unknown. */
export function makeRespondents(count: number, seed: number, questions: readonly number[], prefix = 'r'): RespondentInput[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const maybe = <T>(value: T): T | null => (next() < 0.1 ? null : value)
  // People live around cities, most of them close by.
  const scatter = () => (next() + next() + next() - 1.5) * 0.8
  const first = Date.parse(`${figureDates.start}T12:00:00Z`)
  return Array.from({ length: count }, (_, at) => {
    const placed = next() < 0.8
    const city = pick(CITIES)
    return {
      respondent_id: `${prefix}${seed}-${at}`,
      outcome: pick(['completes', 'completes', ...OUTCOMES.map((outcome) => outcome.value)] as const),
      at: new Date(first + Math.floor(next() * 11 * 86_400_000)).toISOString(),
      age: maybe(1 + Math.floor(next() * 7)),
      gender: maybe(pick(GENDERS).value),
      hhi: maybe(Math.floor(next() * 7)),
      ethnicity: maybe(pick(ETHNICITIES).value),
      marital_status: maybe(pick(MARITAL).value),
      children: maybe(Math.floor(next() * 5)),
      latitude: placed ? city.latitude + scatter() : null,
      longitude: placed ? city.longitude + scatter() : null,
      dma: maybe(501),
      dwell: maybe(next() * 90),
      notice: maybe(next() < 0.5),
      answers: Object.fromEntries(
        questions.map((question, index) => [
          question,
          index === 0 ? pick(['Chips', 'Nuts', 'Fruit', 'Something else']) : [pick(['Chips', 'Nuts']), 'Fruit'],
        ]),
      ),
      email_hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
      ip: '192.0.2.17',
      fraud: next() < 0.05,
    }
  })
}
