import { describe, expect, it } from 'vitest'
import { stripBidi } from '../../contract/bidi.ts'
import { listed } from '../../contract/lists.ts'
import { actsOn, evaluate, resolveTargets, subjectsWord } from '../../src/commands/availability.ts'
import { type Ask, ask, type Command, command } from '../../src/commands/command.ts'
import { linkable, readAnswer, readAnswers } from '../../src/commands/commandLink.ts'
import { initialAnswers, optionsOf, wrongWith } from '../../src/commands/commandQuestions.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { named } from '../../src/commands/words.ts'
import type { WorkspaceApi } from '../../src/commands/workspaceApi.ts'
import { answer, back, isReady, readChosen, readDraft, shownAnswer, sideways, startSteps, tick } from '../../src/palette/steps.ts'
import type { Asking } from '../../src/runner/runnerState.ts'
import { commandIds, commandOf } from '../support/commands.ts'

const project = (id: number, more: Partial<Subject> = {}): Subject => ({ kind: 'project', id, name: `Project ${id}`, ...more })
const workspace = (role: 'admin' | 'client' = 'admin') =>
  ({ me: { id: 1, role, acting: false }, list: () => null }) as unknown as WorkspaceApi
const asking = (more: Partial<Asking> = {}): Asking => ({
  id: 'project.setCost',
  subjects: [project(1)],
  answers: {},
  via: 'key',
  left: [],
  settled: [],
  errors: {},
  key: 1,
  ...more,
})
const pause = commandOf('project.pause')

describe('whether a command can run', () => {
  it('is decided by the server', () =>
    expect(evaluate('project.pause', pause, [project(1, { allowed_actions: ['project.pause'] })], workspace()).reason).toBeNull())
  it('says the server’s reason', () => {
    const subject = project(1, { allowed_actions: [], refused_actions: { 'project.pause': 'it is approved, not active' } })
    expect(evaluate('project.pause', pause, [subject], workspace()).reason).toBe('it is approved, not active')
  })
  it('skips those of many it can’t act on, with reasons', () => {
    const subjects = [
      project(1, { allowed_actions: ['project.pause'] }),
      project(2, { allowed_actions: [], refused_actions: { 'project.pause': 'it is paused, not active' } }),
    ]
    const { able, left, reason } = evaluate('project.pause', pause, subjects, workspace())
    expect([able.map(({ id }) => id), left.map(({ reason }) => reason), reason]).toEqual([
      [1],
      ['it is paused, not active'],
      null,
    ])
  })
  it('allows only the restore for a deleted record, and no restore for any other', () => {
    const restore = commandOf('project.restore')
    const gone = [project(1, { deleted: true })]
    expect(evaluate('project.restore', restore, gone, workspace()).reason).toBeNull()
    expect(evaluate('project.pause', pause, gone, workspace()).reason).toBe('it works on a project')
    expect(evaluate('project.restore', restore, [project(2)], workspace()).reason).toBe('it isn’t deleted')
    expect(commandIds().filter((id) => actsOn(commandOf(id), gone))).toEqual(['project.restore'])
  })
  it('asks for a subject', () => expect(evaluate('project.pause', pause, [], workspace()).reason).toBe('choose a project first'))
  it('refuses several for a command on one', () =>
    expect(evaluate('project.clone', commandOf('project.clone'), [project(1), project(2)], workspace()).reason).toBe(
      'it works on one at a time',
    ))
  it('hides administrators’ commands from client users', () =>
    expect(evaluate('client.create', commandOf('client.create'), [], workspace('client')).reason).toBe(
      'only an administrator can do this',
    ))
})

describe('what a command acts on', () => {
  const entry: Subject = { kind: 'entry', id: 5, name: 'maya@mail.test' }
  it('is the selected rows', () =>
    expect(resolveTargets(pause, { selected: [project(1), project(2)], cursor: project(3), focused: null })).toHaveLength(2))
  it('else the row under the cursor', () =>
    expect(resolveTargets(pause, { selected: [], cursor: project(3), focused: project(4) })[0]?.id).toBe(3))
  it('else the pane’s record, if the rows are of another kind', () =>
    expect(resolveTargets(pause, { selected: [entry], cursor: entry, focused: project(4) })[0]?.id).toBe(4))
  it('is one record’s name, or a count of many', () =>
    expect([subjectsWord([project(1)]), subjectsWord([entry, entry])]).toEqual(['Project 1', '2 rewards']))
  it('says out of how many, if some can’t', () =>
    expect([subjectsWord([project(1)], 3), subjectsWord([entry, entry], 1200)]).toEqual([
      'Project 1, 1 of 3',
      '2 of 1,200 rewards',
    ]))
})

describe('the questions of a command', () => {
  const cost = commandOf('project.setCost')
  it('come in sequence', () => expect(startSteps(cost, asking()).at).toBe('cost'))
  it('keep a wrong answer with its message', () =>
    expect(answer(cost, startSteps(cost, asking()), 'dear').error).toBe('Cost must be an amount, such as 12.50'))
  it('take money in cents', () => expect(readDraft(cost.asks!.cost!, '$1,250.50', '2026-11-21')).toBe(125_050))
  it('show money as written', () => expect(shownAnswer(cost.asks!.cost!, 125_050, asking())).toBe('$1,250.50'))
  it('are ready after the last answer if nothing needs confirming', () => {
    const last = answer(pause, startSteps(pause, asking({ id: 'project.pause' })), 'The quota is under review')
    expect([last.at, isReady(pause, last)]).toEqual([null, true])
  })
  it('go back to the last answer with its text', () => {
    const second = answer(cost, startSteps(cost, asking()), 125_050)
    expect(back(cost, second)).toMatchObject({ at: 'cost', draft: '1250.50' })
  })
  it('have nothing before the first one', () => expect(back(cost, startSteps(cost, asking()))).toBeNull())
  it('skip what was answered earlier', () =>
    expect(startSteps(cost, asking({ answers: { cost: 500 }, settled: ['cost'] })).at).toBe('valid_until'))
  it('start at the server’s error', () => {
    const steps = startSteps(
      cost,
      asking({ answers: { cost: 500, valid_until: '2020-01-01' }, errors: { valid_until: 'is past' } }),
    )
    expect([steps.at, steps.error]).toEqual(['valid_until', 'is past'])
  })
  it('show prefilled answers without skipping them', () => {
    const subjects = [project(1, { record: { cost_cents: 9900 } })]
    expect(startSteps(cost, asking({ subjects, answers: initialAnswers(cost, {}, subjects) }))).toMatchObject({
      at: 'cost',
      draft: '99',
    })
  })
  it('end in a review if a link filled them in', () => {
    const link = startSteps(
      cost,
      asking({ via: 'link', answers: { cost: 500, valid_until: '2027-01-01' }, settled: ['cost', 'valid_until'] }),
    )
    expect([link.at, isReady(cost, link)]).toEqual([null, false])
  })
  it('are asked only while relevant, and irrelevant answers aren’t sent', () => {
    const table = command({
      title: 'Invite…',
      on: 'nothing',
      asks: {
        role: ask.option({
          label: 'Role',
          options: [
            { value: 'admin', label: 'Admin' },
            { value: 'client', label: 'Client' },
          ],
        }),
        client: ask.entity({ kind: 'client', label: 'Client', when: (answers) => answers.role === 'client' }),
      },
      run: () => {},
    }) as unknown as Command
    const first = startSteps(table, asking({ id: 'user.invite', subjects: [] }))
    expect(answer(table, first, 'client').at).toBe('client')
    const changed = answer(table, { ...first, asking: { ...first.asking, answers: { client: 7 } } }, 'admin')
    expect([changed.at, changed.asking.answers]).toEqual([null, { role: 'admin' }])
  })
  it('skip a question with one choice', () => {
    const one = command({
      title: 'Pay…',
      on: 'nothing',
      asks: { by: ask.option({ label: 'By', options: [{ value: 'card', label: 'Gift card' }] }) },
      run: () => {},
    }) as unknown as Command
    expect(initialAnswers(one, {}, [])).toEqual({ by: 'card' })
  })
})

describe('an answer', () => {
  it('is required unless optional', () => expect(wrongWith(ask.text({ label: 'Reason' }), '', {})).toBe('Enter the reason'))
  it('may use the specification’s words', () =>
    expect(wrongWith(commandOf('client.create').asks!.name!, ' ', {})).toBe('Client Name cannot be blank'))
  it('words a v1 campaign’s blank note like the older screens', () => {
    const { note } = commandOf('note.create').asks!
    const of = (kind: 'campaign' | 'project') => wrongWith(note!, ' ', {}, [{ kind, id: 1, name: 'X' }])
    expect([of('campaign'), of('project')]).toEqual(['The Note cant be blank', 'Note cannot be blank'])
  })
  it('must be an existing date', () =>
    expect(wrongWith(ask.date({ label: 'Until' }), '13/45/2026', {})).toMatch(/must be a date/))
  it('from a link is parsed to its type', () =>
    expect([
      readAnswer(ask.entity({ kind: 'partner', label: 'Partner' }), '12'),
      readAnswer(ask.number({ label: 'Cost' }), 'x'),
    ]).toEqual([12, undefined]))
  it('in a link is never text, which could name a person', () => {
    expect(linkable(commandOf('user.invite'), { email: 'maya@mail.test', role_id: 'client', client_id: 4 })).toEqual({
      role_id: 'client',
      client_id: 4,
    })
  })
})

describe('a link that was shared before a question was renamed', () => {
  it('still answers it', () => {
    const invited = readAnswers(commandOf('user.invite'), { role: 'client', client: '4', teams: '1,2' }, [])
    expect(invited).toEqual({ role_id: 'client', client_id: 4, team_ids: [1, 2] })
    expect(readAnswers(commandOf('user.edit'), { client: '4' }, [])).toEqual({ company_id: 4 })
  })
})

describe('a question that takes several records', () => {
  const among = ask.entities({ kind: ['project', 'campaign'], label: 'Beside', min: 1, max: 2 }) as Ask
  const table = command({ title: 'Compare…', on: 'project', asks: { beside: among }, run: () => {} }) as unknown as Command
  const ticked = (...values: string[]) => values.reduce((steps, value) => tick(among, steps, value), startSteps(table, asking()))
  it('selects and deselects', () => expect(ticked('4', '5', '4').chosen).toEqual(['5']))
  it('accepts no more than the maximum, and says so', () =>
    expect(ticked('4', '5', '6')).toMatchObject({ chosen: ['4', '5'], error: 'Beside: choose at most 2' }))
  it('is answered with ids', () =>
    expect(answer(table, ticked('4', '5'), readChosen(among, ['4', '5'])).asking.answers).toEqual({ beside: [4, 5] }))
  it('requires its minimum', () => expect(answer(table, ticked(), []).error).toBe('Beside: choose at least one'))
  it('is edited with the earlier selection', () => {
    const done = answer(table, ticked('4', '5'), [4, 5])
    expect(back(table, done)?.chosen).toEqual(['4', '5'])
  })
  it('survives a link', () => {
    expect(linkable(table, { beside: [4, 5] })).toEqual({ beside: '4,5' })
    expect(readAnswer(among, '4,5')).toEqual([4, 5])
  })
  it('accepts no invalid values from a link', () => expect(readAnswer(among, '4,x')).toBeUndefined())
})

describe('going back and forth between answers', () => {
  const cost = commandOf('project.setCost')
  const both = answer(cost, answer(cost, startSteps(cost, asking()), 125_050), '2027-01-01')
  it('keeps the later answers', () => {
    const first = back(cost, back(cost, both)!)!
    expect([first.at, first.asking.answers]).toEqual(['cost', { cost: 125_050, valid_until: '2027-01-01' }])
  })
  it('asks nothing twice: another first answer returns to the review', () => {
    const first = back(cost, back(cost, both)!)!
    expect(answer(cost, first, 99_000)).toMatchObject({
      at: null,
      asking: { answers: { cost: 99_000, valid_until: '2027-01-01' } },
    })
  })
  it('continues by arrow key with the given answer, not the typed text', () => {
    const first = back(cost, back(cost, both)!)!
    const on = sideways(cost, { ...first, draft: '7' }, 1)!
    expect([on.at, on.asking.answers.cost]).toEqual(['valid_until', 125_050])
  })
  it('never skips an unanswered question', () => expect(sideways(cost, startSteps(cost, asking()), 1)).toBeNull())
})

describe('a question that takes several options', () => {
  const ages = ask.several({
    label: 'Ages',
    options: [
      { value: '2', label: '18–24' },
      { value: '3', label: '25–34' },
    ],
  }) as Ask
  const table = command({ title: 'Filter…', on: 'project', asks: { ages }, run: () => {} }) as unknown as Command
  it('is answered with the selection', () => {
    const steps = tick(ages, tick(ages, startSteps(table, asking()), '2'), '3')
    expect(answer(table, steps, readChosen(ages, steps.chosen)).asking.answers).toEqual({ ages: ['2', '3'] })
  })
  it('requires one unless optional', () =>
    expect(answer(table, startSteps(table, asking()), []).error).toBe('Ages: choose at least one'))
})

describe('an export of the focused list', () => {
  const exporting = commandOf('list.export')
  const followed: unknown[] = []
  const before = (columns: string[], selected: Subject[] = []) => {
    const list = {
      exportable: { ...listed('client'), filter: { search: 'acme' } },
      columns: () => columns,
      selected,
    }
    const follow = (...job: unknown[]) => void followed.push(job)
    return { me: { id: 1, role: 'admin', acting: false }, list: () => list, follow } as unknown as WorkspaceApi
  }
  const clients = before(['name', 'projects_count'])
  const all = ['name', 'projects_count', 'id', 'users_count', 'campaigns_count', 'teams_count', 'created_at']
  /** The request that running it with these columns sends. */
  const sent = async (workspace: WorkspaceApi, columns: string[]) => {
    const written: unknown[] = []
    const api = { write: async (_id: string, input: unknown) => ({ data: { id: written.push(input) } }) }
    await exporting.run!({ api, workspace, subjects: [], subject: undefined, answers: { columns } } as never)
    return written[0] as { columns: string[]; filter: object }
  }

  it('starts with every column: the list’s in order, then the others', () =>
    expect(initialAnswers(exporting, {}, [], clients)).toEqual({ columns: all }))
  it('marks those not in the list', () =>
    expect(optionsOf(exporting.asks!.columns as never, [], clients).map(({ label, detail }) => detail ?? label)).toEqual([
      'Name',
      'Projects',
      ...Array.from({ length: 5 }, () => 'not in the list'),
    ]))
  it('uses the selected ones, in the list’s order, and is followed until it is ready', async () => {
    expect((await sent(clients, ['id', 'name'])).columns).toEqual(['name', 'id'])
    expect(followed).toEqual([[1, 'Export ready']])
  })
  it('drops columns another list lacks, and uses all if none is left', async () => {
    expect((await sent(clients, ['name', 'phone'])).columns).toEqual(['name'])
    expect((await sent(clients, ['phone'])).columns).toEqual(all)
  })
  it('requires a column', () => expect(wrongWith(exporting.asks!.columns!, [], {})).toBe('Columns: choose at least one'))
  it('is filled from a link with the existing columns', () =>
    expect(readAnswers(exporting, { columns: 'name,nonsense,id' }, [], clients)).toEqual({ columns: ['name', 'id'] }))
})

describe('a name in a sentence', () => {
  const called = (name: string, kind: Subject['kind'] = 'project') => named({ kind, name })
  it('is quoted, except a person’s', () => expect([called('Acme'), called('Ana Diaz', 'user')]).toEqual(['“Acme”', 'Ana Diaz']))
  it('from right to left is isolated with its punctuation, in messages too', () => {
    expect(called('שלום!')).toBe('“\u2068שלום!\u2069”')
    expect(stripBidi(`${called('שלום!')} is paused`)).toBe('“\u2068שלום!\u2069” is paused')
  })
  it('reverses nothing else', () =>
    expect(stripBidi('a\u202e b \u2067 c \u2068d \u2069\u2069 e')).toBe('a b  c \u2068d \u2069 e'))
  it('ends only isolations it began', () => expect(stripBidi(`${called('שלום\u2069 x')} y`)).not.toMatch(/\u2069.*\u2069/))
})

describe('files as an answer', () => {
  const files = commandOf('project.addAsset').asks!.files!
  const file = (name: string, size = 10) => ({ name, size }) as File
  it('have the question’s types', () => expect(wrongWith(files, [file('notes.exe')], {})).toMatch(/^notes\.exe: /))
  it('are below the limit', () => expect(wrongWith(files, [file('film.mp4', 20_000_000)], {})).toMatch(/^film\.mp4: /))
  it('are accepted in any case of the extension', () => expect(wrongWith(files, [file('PLAN.PDF')], {})).toBeNull())
})
