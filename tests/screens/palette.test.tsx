import { describe } from 'vitest'
import { PROJECT } from '../support/answers/recorded.ts'
import {
  address,
  atCursor,
  atOnce,
  chip,
  chosen,
  closed,
  drawn,
  expect,
  field,
  focused,
  found,
  goTo,
  hides,
  keys,
  list,
  named,
  notice,
  open,
  palette,
  pane,
  press,
  review,
  run,
  search,
  shows,
  test,
  type,
  until,
} from '../support/screens.tsx'

const FIRST = 'Trail Mix In-Store Audit 2026'
const atProject = async (id: number = PROJECT.requirements) => {
  await open('project', { id }, { tab: 'specifications' })
  await until(() => expect(pane().querySelector('h1')).not.toBeNull())
}

describe('opening and closing', () => {
  test('Ctrl+K opens it from within a field', async () => {
    await open('allProjects')
    await list()
    await press('list.search')
    await focused(() => pane().querySelector('[role=searchbox], input[type=search]'))
    await keys('Mod+k')
    await focused(field)
  })

  test('text typed before it has opened isn’t lost', async () => {
    await open('allProjects')
    atOnce('Control+k', ...'partners')
    await until(() => expect(field()?.value).toBe('partners'))
  })

  test('Escape returns the focus to where it was', async () => {
    await open('allProjects')
    await list()
    await search()
    await keys('Escape')
    await closed()
    await list()
    await keys('j')
    await until(() => expect(atCursor()).toBe('Fall Snack Ad Recall'))
  })
})

describe('what it acts on', () => {
  test('is shown by a chip, and dropped by Backspace on an empty field', async () => {
    await atProject()
    await search()
    await shows(FIRST, chip)
    await keys('Backspace')
    await until(() => expect(chip() === null).toBe(true))
  })

  test('is the selected rows of a list, with their count', async () => {
    await open('allProjects')
    await list()
    await keys('x j x')
    await search()
    await shows('2 projects', chip)
  })
})

describe('finding', () => {
  test('a command by an abbreviation of its words', async () => {
    await open('allProjects')
    await search('new cl')
    await until(() => expect(chosen()?.dataset.command).toBe('client.create'))
  })

  test('a screen, which Enter opens', async () => {
    await open('allProjects')
    await search('/clie')
    await until(() => expect(chosen()?.dataset.command).toBe('go.clients'))
    await keys('Enter')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
  })

  test('a record by a part of its name, or by its number', async () => {
    await open('allProjects')
    await search('ad rec')
    await until(() => expect(found().join()).toContain('Fall Snack Ad Recall'))
    await keys('Escape Escape')
    await closed()
    await search('#4160')
    await shows('Pain Relief Mobile Ethnography 2026', chosen)
    await keys('Enter')
    await until(() => expect(address()).toMatch('/project-info/4160/'))
  })

  test('@ finds people and no projects', async () => {
    await open('allProjects')
    await search('@a')
    await until(() => expect(palette()!.querySelector('[data-row^="entity:user:"]') !== null).toBe(true))
    expect(palette()!.querySelector('[data-row^="entity:project:"]') === null).toBe(true)
  })

  test('? lists what works here with its keys', async () => {
    await atProject()
    await search('?')
    await shows('Keys and commands', palette)
    await until(() => expect(palette()!.querySelector('[role=option] kbd') !== null).toBe(true))
  })

  test('never more than 50 rows are rendered', async () => {
    await open('allProjects')
    for (const text of ['', 'a', '>', '/', '@a', '?']) {
      await search(text)
      await until(() => expect(found().length).toBeGreaterThan(0))
      expect(found().length, text).toBeLessThanOrEqual(50)
      await keys('Escape')
      await closed()
    }
  })

  test('a screen reader always announces the row that Enter would take', async () => {
    await atProject()
    await search()
    for (const letter of [...'asp', 'Backspace', 'Backspace', 'Backspace', ...'>go', 'ArrowDown']) {
      await keys(letter)
      await named()
    }
  })

  test('“inp” finds Invite partners first, and a typo still finds', async () => {
    await atProject()
    await search('inp')
    await until(() => expect(chosen()?.dataset.command).toBe('project.invitePartners'))
    await keys('Mod+a')
    await type('prtners')
    await until(() => expect(found()[0]).toMatch(/^Partners/))
  })

  test('a command that can’t run now is greyed with its reason, does nothing on Enter, and is left out while nothing is typed', async () => {
    const pause = () => palette()!.querySelector<HTMLElement>('[role=option][data-command="project.pause"]')
    await atProject(PROJECT.paused)
    await search()
    await until(() => expect(found().length).toBeGreaterThan(0))
    expect(pause() === null).toBe(true)
    await type('>pause')
    await shows('it is paused, not active', pause)
    expect(pause()!.dataset.off).toBe('')
    for (let at = 0; at < 10 && chosen() !== pause(); at++) await keys('ArrowUp')
    expect(chosen() === pause()).toBe(true)
    await keys('Enter')
    await drawn()
    expect(field()!.value).toBe('>pause')
  })

  test('> finds commands only', async () => {
    const records = () => palette()!.querySelectorAll('[data-row^="entity:"]').length
    await open('allProjects')
    await search('Trail')
    await until(() => expect(records()).toBeGreaterThan(0))
    await keys('Mod+a')
    await type('>Trail')
    await until(() => expect(records()).toBe(0))
  })

  test('nothing, it says so', async () => {
    await open('allProjects')
    await search('zanzibari')
    await shows('No results for “zanzibari”', palette)
  })
})

describe('opening a result', () => {
  const columns = () => document.querySelectorAll('[data-column]').length

  test('Alt+Enter opens it beside and leaves the palette open', async () => {
    await open('clients')
    await search('#4160')
    await shows('Pain Relief Mobile Ethnography 2026', chosen)
    await keys('Alt+Enter')
    await until(() => expect(columns()).toBe(2))
    await focused(field)
  })

  test('Tab on a record shows its commands', async () => {
    await open('clients')
    await search('#4180')
    await shows(FIRST, chosen)
    await keys('Tab')
    await shows(FIRST, chip)
    await until(() => expect(palette()!.querySelector('[data-command="project.invitePartners"]') !== null).toBe(true))
  })

  test('a pasted link can be opened', async () => {
    await open('allProjects')
    await search(`${location.origin}/dashboard/clients?beside=/allProjects`)
    await shows('Open Clients', chosen)
    await keys('Enter')
    await until(() => expect(columns()).toBe(2))
    expect(address()).toMatch(/clients\?beside=/)
  })
})

describe('a command’s questions', () => {
  test('become pills that Backspace reopens for editing', async () => {
    await atProject()
    await run('project.setCost', '1200')
    await until(() => expect(pills()).toEqual(['$1,200.00']))
    await keys('Mod+a Backspace')
    await until(() => expect(field()!.value).toBe('1200'))
    expect(pills()).toEqual([])
  })

  test('say what is wrong with an answer, and stay', async () => {
    await atProject()
    await run('project.setCost', 'many')
    await until(() =>
      expect(palette()!.querySelector('[role=alert]')?.textContent).toMatch('Cost must be an amount, such as 12.50'),
    )
    expect(field()!.value).toBe('many')
  })

  test('are never applied by Escape', async ({ api }) => {
    await atProject()
    await run('project.setCost', '4321')
    await until(() => expect(pills()).toEqual(['$4,321.00']))
    for (let at = 0; at < 5 && palette(); at++) {
      await keys('Escape')
      await drawn()
    }
    expect(palette() === null).toBe(true)
    expect(api.writes).toEqual([])
  })

  test('end in a review with the specification’s words, and change nothing when it is cancelled', async ({ api }) => {
    await atProject()
    await run('project.clone')
    await shows('Clone Project. Are you sure?', palette)
    await keys('Escape Escape')
    await closed()
    expect(api.writes).toEqual([])
  })
})

describe('a hostile command link', () => {
  for (const [what, query, says] of [
    ['an unknown command', 'do=constructor', /unknown command/],
    ['a mechanic of lists', 'do=list.down', /unknown command/],
    ['a kind that it does not take', 'do=project.pause&on=user:1', /doesn’t say what/],
  ] as const)
    test(`with ${what} says so and opens nothing`, async () => {
      await goTo(`/dashboard/all-projects?${query}`)
      await notice(says)
      expect(palette() === null).toBe(true)
    })
})

const pills = () => [...document.querySelectorAll('[data-palette] [data-pill]')].map((one) => one.textContent)

describe('what a command does', () => {
  test('is done once, shown, and undone by Ctrl+Z', async ({ api }) => {
    await atProject(PROJECT.active)
    await run('project.pause', 'Stock is out')
    await closed()
    await shows('Paused')
    expect(api.writes).toHaveLength(1)
    expect(api.writes[0]).toMatchObject({ id: 'project.setStatus', input: { status: 'paused', reason: 'Stock is out' } })
    await keys('Mod+z')
    await notice('Undone: Pause')
    await hides('Paused')
    expect(api.writes.map(({ id }) => id)).toEqual(['project.setStatus', 'undo.take'])
  })

  test('is reviewed first where it can’t be taken back, and Enter does it once', async ({ api }) => {
    await atProject(PROJECT.requirements)
    await run('project.clone')
    await review('Clone Project. Are you sure?')
    await closed()
    await notice('cloned as')
    expect(api.writes).toHaveLength(1)
  })

  test('waits with Ctrl+Z for a write under way, and undoes it then', async ({ api }) => {
    const come = api.hold('project.setStatus')
    await atProject(PROJECT.active)
    await run('project.pause', 'Stock is out')
    await closed()
    await keys('Mod+z')
    await shows('Undo, once', () => document.body)
    expect(api.writes).toEqual([])
    come()
    await notice('Undone: Pause')
    expect(api.writes.map(({ id }) => id)).toEqual(['project.setStatus', 'undo.take'])
  })

  test('is refused by the server in its words, beside the answers, which stay', async ({ api }) => {
    api.refuse('project.setStatus', 422, {
      message: 'The reason is too short.',
      code: 'invalid',
      fields: { reason: 'The reason is too short.' },
    })
    await atProject(PROJECT.active)
    await run('project.pause', 'Stock is out')
    await shows('The reason is too short.', palette)
    await until(() => expect(field()!.value).toBe('Stock is out'))
  })

  test('isn’t offered where it can’t run, and says why when its keys are pressed', async ({ api }) => {
    await atProject(PROJECT.paused)
    await keys('p p')
    await notice(/Pause.*can’t run now.*it is paused, not active/i)
    expect(api.writes).toEqual([])
  })

  test('is a note, whose letters are never shortcuts', async ({ api }) => {
    await open('allProjects')
    await list()
    await run('note.create', 'Called them')
    await closed()
    await until(() => expect(api.writes).toHaveLength(1))
    expect(api.writes[0]).toEqual({ id: 'note.create', input: { project_id: PROJECT.requirements, note: 'Called them' } })
    await notice('has your note')
  })
})
