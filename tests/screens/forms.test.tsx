import { describe } from 'vitest'
import { PROJECT } from '../support/answers/recorded.ts'
import {
  address,
  answer,
  click,
  dialog,
  drawn,
  expect,
  fill,
  focused,
  hides,
  input,
  keys,
  notice,
  open,
  pane,
  press,
  reload,
  shows,
  test,
  the,
  type,
  until,
} from '../support/screens.tsx'

const faults = () => pane().querySelector('[data-faults]')
const note = { id: PROJECT.requirements }

describe('a new note', () => {
  test('says “Note cannot be blank”, is added by Ctrl+Enter, and OK leads to the notes', async ({ api }) => {
    await open('newNote', note)
    await until(async () => expect(document.activeElement === (await input('Note *'))).toBe(true))
    await press('form.send')
    await shows('Fix 1 error', faults)
    await shows('Note cannot be blank', faults)
    expect(api.writes).toEqual([])
    await fill('Note *', 'Called them')
    await hides('Fix', faults)
    await press('form.send')
    await dialog(/Note Created.*Called them/)
    await answer('OK')
    await until(() => expect(address()).toMatch(/4180\/project-notes$/))
    await shows('Called them')
    expect(api.writes).toEqual([{ id: 'note.create', input: { project_id: PROJECT.requirements, note: 'Called them' } }])
  })

  test('keeps a draft per project over a reload, until started over', async () => {
    await open('newNote', note)
    await fill('Note *', 'Half a thought')
    await reload()
    await until(async () => expect((await input('Note *')).value).toBe('Half a thought'))
    await shows('Draft restored.')
    ;(await the('button', 'Start over', pane)).focus()
    await keys('Enter')
    await dialog('Start over')
    await answer('Start over')
    await until(async () => expect((await input('Note *')).value).toBe(''))
  })

  test('that fails says so to who clicks in a dialog with Retry and Edit, and keeps what was typed', async ({ api }) => {
    api.refuse('note.create', 500, { message: 'The database is away.', code: 'broken' })
    await open('newNote', note)
    await fill('Note *', 'Called them')
    await click(pane().querySelector<HTMLElement>('[data-command="form.send"]')!)
    await dialog(/The note wasn’t saved.*The database is away\./)
    await answer('Edit')
    expect((await input('Note *')).value).toBe('Called them')
    await click(pane().querySelector<HTMLElement>('[data-command="form.send"]')!)
    await dialog('The note wasn’t saved')
    api.allow('note.create')
    await click(await the('button', 'Retry'))
    await dialog('Note Created')
  })

  test('that fails says so to who uses keys in a notice with Retry, without a dialog', async ({ api }) => {
    api.refuse('note.create', 500, { message: 'The database is away.', code: 'broken' })
    await open('newNote', note)
    await fill('Note *', 'Called them')
    await press('form.send')
    const failed = await notice(/The note wasn’t saved: The database is away\./)
    expect(document.querySelector('[role=dialog]') === null).toBe(true)
    expect(document.activeElement === (await input('Note *'))).toBe(true)
    api.allow('note.create')
    await click(await the('button', 'Retry', () => failed))
    await dialog('Note Created')
  })

  test('whose response comes while somebody types on opens nothing over it', async ({ api }) => {
    const come = api.hold('note.create')
    await open('newNote', note)
    await fill('Note *', 'Called them')
    await press('form.send')
    await shows('Saving')
    await keys('End')
    await type(' and more')
    come()
    await notice('Note Created: Called them')
    await until(async () => expect((await input('Note *')).value).toBe(' and more'))
    expect(document.querySelector('[role=dialog]') === null).toBe(true)
  })
})

describe('a new client', () => {
  test('is sent by Ctrl+Enter too, and OK leads to the list', async ({ api }) => {
    await open('newClient')
    await fill(/^Client name/, 'Oat Company')
    await keys('Mod+Enter')
    await dialog('Client created.')
    await answer('OK')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
    await shows('Oat Company')
    expect(api.writes).toEqual([{ id: 'client.create', input: { name: 'Oat Company' } }])
  })

  test('with a name that is taken says so at its field, which keeps it', async () => {
    await open('newClient')
    await fill(/^Client name/, 'Harvest & Pine Snacks')
    await keys('Enter')
    await shows('There is a client called “Harvest & Pine Snacks” already.')
    expect((await input(/^Client name/)).value).toBe('Harvest & Pine Snacks')
    expect(address()).toMatch('/dashboard/new-client-form')
  })

  test('is a dialog for a user who waits, and a notice for one who went on typing', async ({ api }) => {
    const come = api.hold('client.create')
    await open('newClient')
    await fill(/^Client name/, 'Oat Company')
    await keys('Enter')
    await type('And the next')
    come()
    await notice('Oat Company')
    expect(document.querySelector('[role=dialog]') === null).toBe(true)
    expect((await input(/^Client name/)).value).toBe('And the next')
  })

  test('that wasn’t saved asks before its tab closes, and takes no Enter after letters typed into the question', async () => {
    await open('newClient')
    await fill(/^Client name/, 'Typed and not saved')
    await keys('Escape Alt+w')
    const asked = await dialog('Close this tab?')
    await type('some words')
    await keys('Enter')
    await until(() => expect(asked.textContent).toMatch('Press Enter again'))
    expect(asked.isConnected).toBe(true)
  })
})

describe('a new project', () => {
  test('says what is missing, in the specification’s words, and goes to the first of it', async ({ api }) => {
    await open('newProject')
    await input(/^Client/)
    await press('form.send')
    await shows(/Fix \d errors/, faults)
    await shows('Project Name cannot be blank', faults)
    await focused(() => pane().querySelector('[role=combobox]'))
    expect(api.writes).toEqual([])
  })

  test('announces its errors once, then only how many are left', async () => {
    await open('newProject')
    await input(/^Client/)
    await keys('Mod+Enter')
    const spoken = () => [...pane().querySelectorAll('[data-spoken]')].map((one) => one.textContent).join('|')
    await until(() => expect(spoken()).toMatch(/Fix \d errors\. Client: /))
    await fill(/^Project name/, 'Mended')
    await until(() => expect(spoken()).toMatch(/^\|\d errors left$/))
  })

  test('takes dates in words, and shows them as dates', async () => {
    await open('newProject')
    await fill(/^Start date/, 'tomorrow')
    await until(async () => expect((await input(/^End date/)).value).toBe('12/12/2026'))
    await keys('Tab')
    await until(async () => expect((await input(/^Start date/)).value).toBe('11/21/2026'))
  })

  test('says why a date isn’t one, on leaving its field and on sending', async () => {
    await open('newProject')
    await fill(/^Start date/, 'soon')
    ;(await input(/^Project name/)).focus()
    await shows('“soon” isn’t a date')
    await press('form.send')
    await shows('Start date: “soon” isn’t a date. Try 11/24, fri or in 6 weeks.', faults)
  })
})

describe('a new child', () => {
  test('is named after its parent, and ends 7 days after its start; a r adds a row after it, and Delete removes it', async () => {
    await open('newChildSurvey', note)
    await until(async () => expect((await input('Name *')).value).toBe('Trail Mix In-Store Audit 2026 Wave 1'))
    await fill('Start date *', '12/01/2026')
    await keys('Tab')
    await until(async () => expect((await input('End date')).value).toBe('12/08/2026'))
    await keys('Escape a r')
    await until(async () => expect((await input('Name of child 2')).value).toBe('Trail Mix In-Store Audit 2026 Wave 2'))
    await until(async () => expect((await input('Start of child 2')).value).toBe('12/09/2026'))
    await keys('Escape Delete')
    await hides('Wave 2')
    await until(() => expect(pane().querySelector('[aria-label="Name of child 2"]') === null).toBe(true))
  })
})

describe('several new children', () => {
  test('say what is missing, in the specification’s words, and in which row', async ({ api }) => {
    await open('newChildSurvey', note)
    await until(async () => expect((await input('Name *')).value).toMatch('Wave 1'))
    await fill('Name *', '')
    ;(await the('button', /^Add a child/, pane)).focus()
    await keys('Enter')
    await until(async () => expect(document.activeElement === (await input('Name of child 2'))).toBe(true))
    await press('form.send')
    for (const words of [
      'Fix 3 errors',
      'Project Name cannot be blank',
      'Project Start Date cannot be blank',
      'Child 2: Project Start Date cannot be blank',
    ])
      await shows(words, faults)
    await until(async () => expect(document.activeElement === (await input('Name *'))).toBe(true))
    expect(api.writes).toEqual([])
  })
})

describe('an edit', () => {
  test('says what somebody else has changed meanwhile, and saves what was chosen', async ({ api }) => {
    await open('editProject', note)
    await fill(/^Project name/, 'Mine')
    await press('form.send')
    await dialog(/You both changed one field.*Theirs/)
    ;(await the('radio', /^Keep mine/)).click()
    await answer('Save these')
    await dialog('Project Updated')
    expect(api.writes).toHaveLength(2)
  })

  test('is saved by Ctrl+Enter, and the next keys are commands again', async ({ api }) => {
    await open('editProject', { id: PROJECT.pricing })
    await fill(/^Project name/, 'Renamed')
    await press('form.send')
    await dialog('Project Updated')
    await keys('Enter')
    await until(() => expect(address()).not.toMatch('edit-project'))
    await keys('g c')
    await until(() => expect(address()).toMatch('/dashboard/clients'))
    expect(api.writes).toHaveLength(1)
  })

  test('that changes nothing can’t be sent', async ({ api }) => {
    await open('editProject', note)
    await shows('no changes yet')
    await press('form.send')
    await drawn()
    expect(api.writes).toEqual([])
  })
})
