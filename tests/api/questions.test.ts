import { beforeAll, describe, expect, test } from 'vitest'
import { answeredAmong } from '../../server/domain/survey/answered.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const survey = async () => (await fresh(app)).survey.id
const nextOrder = async (survey_id: number) => {
  const { data } = (await admin().call('survey.questions', { id: survey_id, type: 'survey' })).body
  return Math.max(0, ...data.map((one) => one.order)) + 1
}
const make = async (survey_id: number, more: object = {}) => {
  const input = { survey_id, name: 'Which snack?', options: ['Chips', 'Nuts'], order: await nextOrder(survey_id), ...more }
  return admin().call('question.create', input)
}
const made = async (survey_id: number, more: object = {}) => (await make(survey_id, more)).body.data
const listed = async (id: number, more: object = {}) => (await admin().call('question.list', { id, ...more })).body
const order = async (id: number) => (await listed(id)).data.map((one) => [one.order, one.name])
const undo = (answer: { headers: Record<string, unknown> }) => admin().call('undo.take', { id: Number(answer.headers['x-undo']) })

describe('a question', () => {
  test.each([
    ['Question Name cannot be blank', { name: '  ' }, 'name'],
    ['Question Order must be at least 1', { order: 0 }, 'order'],
    ['Question Order must be at least 1', { question_type: 'survey', order: undefined }, 'order'],
    ['A single or multiple choice needs two answers.', { options: ['Yes'], answer_type: 'single' }, 'options'],
    ['“yes” is listed twice.', { options: ['Yes', 'yes'] }, 'options'],
    ['Charts leave a row "Total" out.', { options: ['Yes', 'Total'] }, 'options'],
    ['An open question has no answers to choose from.', { answer_type: 'open' }, 'options'],
  ])('is refused: %s', async (sentence, more, field) => {
    const answer = await make(await survey(), more)
    expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
  })
  test('is added at the end, or at a position, which moves the ones there down', async () => {
    const id = await survey()
    for (const name of ['A', 'B', 'C']) await make(id, { name })
    await make(id, { name: 'Far', order: 9 })
    const answer = await make(id, { name: 'First', order: 2 })
    expect(answer.body).toMatchObject({ message: 'Question Created', data: { order: 2 } })
    expect(await order(id)).toEqual([
      [1, 'A'],
      [2, 'First'],
      [3, 'B'],
      [4, 'C'],
      [9, 'Far'],
    ])
    await undo(answer)
    expect((await order(id)).slice(0, 3)).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'C'],
    ])
  })
  test.each(['profile', 'reward'])('about the %s has order 0, whatever is sent', async (question_type) => {
    const id = await survey()
    const { body } = await make(id, { question_type, order: 7 })
    expect(body.data.order).toBe(0)
    const changed = await admin().call('question.edit', { id: body.data.id, order: 4 })
    expect([changed.status, changed.body.data.order]).toEqual([200, 0])
  })
  test('is listed by section and position, found by text, answer and key, and counted by type', async () => {
    const id = await survey()
    await make(id, { name: 'Reward?', question_type: 'reward' })
    await make(id, { name: 'Job?', question_type: 'profile' })
    await make(id, { name: 'Second', order: 2, vendor_key: 'Q7b' })
    await make(id, { name: 'First', order: 1, answer_type: 'multiple' })
    const all = await listed(id)
    expect(all.data.map(({ name }) => name)).toEqual(['First', 'Second', 'Job?', 'Reward?'])
    expect(all.counts).toEqual({ survey: 2, profile: 1, reward: 1, retired: 0 })
    expect((await listed(id, { search: 'q7B' })).data.map(({ name }) => name)).toEqual(['Second'])
    expect((await listed(id, { search: 'nuts' })).count).toBe(4)
    expect((await listed(id, { answer_type: 'multiple' })).data.map(({ name }) => name)).toEqual(['First'])
    expect((await listed(id, { type: 'profile' })).data.map(({ name }) => name)).toEqual(['Job?'])
  })
  test('of another survey, or for a client user, isn’t found', async () => {
    const { id } = await made(await survey())
    expect((await app.as('client').call('question.edit', { id, name: 'Mine?' })).status).toBe(403)
    expect((await admin().call('question.list', { id: 999_999 })).status).toBe(404)
    expect((await admin().call('question.edit', { id: 999_999, name: 'X' })).status).toBe(404)
  })
})

describe('an edited question', () => {
  test('changes only the fields sent, has a lock, and is restored by undo', async () => {
    const id = await survey()
    const { id: one, lock_version } = await made(id)
    await make(id, { name: 'Other' })
    const answer = await admin().call('question.edit', { id: one, name: 'Renamed', order: 2, lock_version })
    expect(answer.body.message).toBe('Question Updated')
    expect(await order(id)).toEqual([
      [2, 'Renamed'],
      [3, 'Other'],
    ])
    expect((await admin().call('question.edit', { id: one, name: 'Stale', lock_version })).body.code).toBe('stale')
    await undo(answer)
    expect(await order(id)).toEqual([
      [1, 'Which snack?'],
      [2, 'Other'],
    ])
  })
  test('needs confirmation to rename an answer that people gave', async () => {
    const id = await survey()
    const { id: one } = await made(id, { options: ['Chips', 'Neither'] })
    const { id: several } = await made(id, { options: ['Neither', 'Both'], answer_type: 'multiple' })
    await send(app, id, [
      person({ answers: { [one]: 'Neither', [several]: ['Neither', 'Both'] } }),
      person({ answers: { [one]: 'Neither' } }),
      person({ answers: { [one]: 'Chips', [several]: ['Both'] } }),
    ])
    const options = ['Chips', 'None of these']
    const asked = await admin().call('question.edit', { id: one, options })
    expect([asked.status, asked.body.code, asked.body.message]).toEqual([
      409,
      'answers_given',
      '2 answers say "Neither". Rename them too?',
    ])
    const rows = async (question: number) => {
      const { body } = await admin().call('runtime.userResponses', { surveyId: id })
      const found = body.data.find(({ question_id }) => question_id === question)!
      return found.rows.map(({ label, value }) => [label, value])
    }
    const unchanged = await admin().call('question.edit', { id: one, options, rename_answers: false })
    expect(unchanged.status).toBe(200)
    expect(await rows(one)).toEqual([
      ['Chips', 1],
      ['None of these', 0],
      ['Neither', 2],
    ])
    await undo(unchanged)
    const renamed = await admin().call('question.edit', { id: one, options, rename_answers: true })
    expect(renamed.status, renamed.text).toBe(200)
    expect(await rows(one)).toEqual([
      ['Chips', 1],
      ['None of these', 2],
    ])
    // Another question's answer with the same text stays.
    expect(await rows(several)).toEqual([
      ['Neither', 1],
      ['Both', 2],
    ])
    const stored = await app.db.selectFrom('respondents').select('answers').where('survey_id', '=', id).execute()
    expect(stored.filter(({ answers }) => answers.includes('"None of these"'))).toHaveLength(2)
    await undo(renamed)
    expect(await rows(one)).toEqual([
      ['Chips', 1],
      ['Neither', 2],
    ])
  })
  test('is refused if the renamed answers couldn’t be told apart', async () => {
    const id = await survey()
    const { id: one } = await made(id, { options: ['Chips', 'Nuts'] })
    await send(app, id, [person({ answers: { [one]: 'Nuts' } }), person({ answers: { [one]: 'Seeds' } })])
    const answer = await admin().call('question.edit', { id: one, options: ['Chips', 'Seeds'], rename_answers: true })
    expect([answer.status, answer.body.message]).toEqual([
      409,
      '“Seeds” already has answers, so the renamed ones couldn’t be told apart.',
    ])
  })
})

describe('a deleted question', () => {
  test('without answers is removed; undo restores the same one', async () => {
    const id = await survey()
    const { id: one } = await made(id)
    const answer = await admin().call('question.remove', { id: one })
    expect(answer.body).toMatchObject({ retired: false })
    expect((await listed(id)).count).toBe(0)
    await undo(answer)
    expect((await listed(id)).data.map((question) => question.id)).toEqual([one])
  })
  test('with answers is retired: charts keep it', async () => {
    const id = await survey()
    const { id: one, name } = await made(id)
    await send(app, id, [person({ answers: { [one]: 'Nuts' } })])
    const answer = await admin().call('question.remove', { id: one })
    expect(answer.body).toMatchObject({
      retired: true,
      message: `Q-${one} “${name}” was retired, because it has answers: charts keep it.`,
    })
    expect((await listed(id)).count).toBe(0)
    expect((await listed(id, { filter: 'retired' })).data).toMatchObject([
      { id: one, answered: 1, retired_at: expect.any(String) },
    ])
    const { body } = await admin().call('runtime.userResponses', { surveyId: id })
    expect(body.data.map(({ question_id }) => question_id)).toEqual([one])
    expect((await admin().call('question.edit', { id: one, name: 'Late' })).status).toBe(409)
    await undo(answer)
    expect((await listed(id)).count).toBe(1)
  })
  test.each(['partials', 'terminates', 'overquota'])(
    'answered only by %s is retired too, unlike an unanswered one',
    async (outcome) => {
      const id = await survey()
      const { id: one } = await made(id)
      const { id: other } = await made(id, { name: 'Other' })
      await send(app, id, [person({ outcome, answers: { [one]: 'Nuts' } })])
      expect((await admin().call('question.remove', { id: one })).body).toMatchObject({ retired: true })
      expect((await admin().call('question.remove', { id: other })).body).toMatchObject({ retired: false })
      expect((await listed(id, { filter: 'retired' })).data).toMatchObject([{ id: one, answered: 0 }])
    },
  )
  test('is known to have answers without reading respondents', async () => {
    const id = await survey()
    const [one, other] = [(await made(id)).id, (await made(id, { name: 'Other' })).id]
    await send(app, id, [person({ outcome: 'terminates', answers: { [one]: 'Nuts' } })])
    const reads: string[] = []
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        reads.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const questions = await app.db.selectFrom('questions').select(['id', 'created_at']).where('survey_id', '=', id).execute()
    expect([...(await answeredAmong({ db }, id, questions))]).toEqual([one])
    expect(reads.filter((read) => read.includes('respondents'))).toEqual([])
    expect(other).not.toBe(one)
  })
})

describe('the number of people who answered', () => {
  /** Completes of a survey with an answer to each question, recounted from respondents. */
  const recounted = async (id: number) => {
    const counts = new Map<number, number>()
    const rows = await app.db.selectFrom('respondents').select(['outcome', 'answers']).where('survey_id', '=', id).execute()
    for (const { outcome, answers } of rows) {
      if (outcome !== 'completes' || !answers) continue
      for (const [question, counters] of Object.entries(JSON.parse(answers) as Record<string, string | string[]>))
        if ([counters].flat().some((one) => one.trim().toLowerCase() !== 'total'))
          counts.set(Number(question), (counts.get(Number(question)) ?? 0) + 1)
    }
    return counts
  }
  const sameEverywhere = async (id: number) => {
    const { data } = await listed(id, { filter: 'all', per_page: 500 })
    const shown = new Map(data.map((one) => [one.id, one.answered]))
    const counters = await recounted(id)
    expect(shown).toEqual(new Map(data.map((one) => [one.id, counters.get(one.id) ?? 0])))
    const charts = (await admin().call('runtime.userResponses', { surveyId: id })).body.data
    expect(shown).toEqual(new Map(data.map((one) => [one.id, charts.find((chart) => chart.question_id === one.id)!.answered])))
    return data
  }
  test('counts a person once for several answers, and nobody for a row “Total”', async () => {
    const id = await survey()
    const { id: several } = await made(id, { answer_type: 'multiple', options: ['Chips', 'Nuts', 'Both'] })
    const { id: why } = await made(id, { name: 'Why?', options: [], answer_type: 'open' })
    const { id: unasked } = await made(id, { name: 'Since when?' })
    await send(app, id, [
      person({ answers: { [several]: ['Chips', 'Nuts', 'Both'], [why]: 'Salt' } }),
      person({ answers: { [several]: ['Total', 'Nuts'] } }),
      person({ answers: { [several]: ' TOTAL ', [why]: 'Total' } }),
      person({ outcome: 'partials', answers: { [several]: ['Chips'] } }),
    ])
    const data = await sameEverywhere(id)
    expect(data.map((one) => one.answered)).toEqual([2, 1, 0])
    const empty = await listed(id, { filter: 'unanswered' })
    expect(empty.data.map((one) => one.id)).toEqual([unasked])
  })
  test('is the same in the list, in User Responses and among respondents, whatever is sent, corrected and withdrawn', async () => {
    const id = await survey()
    const asked: number[] = []
    for (const answer_type of ['single', 'multiple', 'multiple', 'number', 'open'] as const) {
      const options = answer_type === 'single' || answer_type === 'multiple' ? ['A', 'B', 'C', 'D'] : []
      asked.push((await made(id, { name: `${answer_type} ${asked.length}`, answer_type, options })).id)
    }
    const letters = ['A', 'B', 'C', 'D', 'Total', 'Other']
    // Each respondent skips another question and gives another number of answers.
    const answersOf = (n: number) =>
      Object.fromEntries(
        asked.flatMap((one, at) => ((n + at) % 4 ? [[one, letters.filter((_, bit) => (n * (at + 3)) & (1 << bit))]] : [])),
      )
    const outcomes = ['completes', 'completes', 'completes', 'partials', 'terminates']
    const people = Array.from({ length: 60 }, (_, n) =>
      person({ outcome: outcomes[n % 5], age: (n % 7) + 1, gender: ['female', 'male', 'other'][n % 3], answers: answersOf(n) }),
    )
    expect((await send(app, id, people)).status).toBe(200)
    await sameEverywhere(id)
    for (const [n, one] of people.slice(0, 6).entries()) {
      const fields = { ...one, surveyId: id, respondentId: one.respondent_id, answers: answersOf(n + 50) }
      const answer = await admin().call('runtime.correct', { ...fields, outcome: 'completes' })
      expect(answer.status, answer.text).toBe(200)
    }
    await admin().call('runtime.withdraw', { surveyId: id, respondentId: people[10]!.respondent_id })
    await sameEverywhere(id)
    await send(app, id, [person({ answers: answersOf(7) })])
    await sameEverywhere(id)
  })
})

describe('reordering questions', () => {
  test('is one write that undo reverts', async () => {
    const id = await survey()
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await made(id, { name })).id)
    const [a, b, c] = ids as [number, number, number]
    const answer = await admin().call('question.reorder', { id, ids: [c, a, b] })
    expect(answer.body).toMatchObject({ moved: 3, message: '3 questions moved.' })
    expect((await order(id)).map(([, name]) => name)).toEqual(['C', 'A', 'B'])
    await undo(answer)
    expect((await order(id)).map(([, name]) => name)).toEqual(['A', 'B', 'C'])
  })
  test('is refused if it lists other questions than there are', async () => {
    const id = await survey()
    const { id: one } = await made(id)
    const { id: two } = await made(id)
    for (const ids of [[one], [one, one], [one, two, 999_999]]) {
      const answer = await admin().call('question.reorder', { id, ids })
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'Someone else added or deleted questions in the meantime. Order them again.',
      ])
    }
  })
})

describe('pasted questions', () => {
  const rows = [
    { name: 'Which?', answer_type: 'Radio', options: 'Chips | Nuts', vendor_key: 'q1' },
    { name: 'Which ones?', answer_type: 'multi-select', options: 'Chips\nNuts\nBoth' },
    { name: 'How many?', answer_type: 'Numeric', options: '' },
    { name: 'Why?' },
    { name: 'Job?', question_type: 'Profile', options: ['Yes', 'No'] },
  ]
  test('are added in one write, which undo reverts', async () => {
    const id = await survey()
    await make(id, { name: 'There before' })
    const answer = await admin().call('question.bulk', { id, rows })
    expect(answer.body).toMatchObject({ message: '5 questions added.', data: { added: 5, errors: [] } })
    expect(answer.body.data.questions.map((one) => [one.order, one.answer_type, one.options.length])).toEqual([
      [2, 'single', 2],
      [3, 'multiple', 3],
      [4, 'number', 0],
      [5, 'open', 0],
      [0, 'single', 2],
    ])
    await undo(answer)
    expect((await listed(id)).count).toBe(1)
  })
  test('with dry=1 are checked by row and not written; without it, one error keeps all from being added', async () => {
    const id = await survey()
    await make(id, { vendor_key: 'q1' })
    const wrong = [
      ...rows,
      { name: '' },
      { name: 'Odd', answer_type: 'Slider' },
      { name: 'Alone', answer_type: 'single', options: 'Yes' },
    ]
    const { body } = await admin().call('question.bulk', { id, rows: wrong, dry: 1 })
    expect(body.data.errors).toEqual([
      { row: 1, field: 'vendor_key', code: 'taken', message: expect.stringContaining('already has the key “q1”.') },
      { row: 6, field: 'name', code: 'required', message: 'Question Name cannot be blank' },
      {
        row: 7,
        field: 'answer_type',
        code: 'choice',
        message: '“Slider” isn’t an answer type: Single, Multiple, Number or Open.',
      },
      { row: 8, field: 'options', code: 'invalid', message: 'A single or multiple choice needs two answers.' },
    ])
    expect(body.message).toBe('4 of 8 rows would be refused.')
    const refused = await admin().call('question.bulk', { id, rows: wrong })
    expect([refused.status, refused.body.message.startsWith('Row 1: ')]).toEqual([422, true])
    expect((await listed(id)).count).toBe(1)
  })
})
