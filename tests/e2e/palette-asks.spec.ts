import { expect, test } from '../support/e2e.ts'
import { atProject } from './at-palette.ts'
import { call, drawn, login, press, projectFor, review, run, toast } from './verbs.ts'

// Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test.describe('a command’s questions', () => {
  test('are its next steps, and the answer does what it says', { tag: '@quick' }, async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners', 'Pending')
    const [partner] = (await call(page, 'partner.dropdown')).data.filter(
      ({ id }) => !project.partners.some((one) => one.id === id),
    )
    await atProject(page, project)
    await run(page, 'project.invitePartners', partner!.name, '')
    await review(page, 'Invite this partner')
    await expect(toast(page, '1 partner invited')).toBeVisible()
    const { data } = await call(page, 'project.get', { id: project.id })
    expect(data.partners.map(({ id }) => id)).toContain(partner!.id)
  })
})

test.describe('the last command', () => {
  test('is undone by Ctrl+Z', async ({ page }) => {
    const project = await projectFor(page, 'project.pause', 'Active')
    await atProject(page, project)
    await run(page, 'project.pause', 'The quota is under review')
    await expect(toast(page, `“${project.name}” is paused`)).toBeVisible()
    await press(page, 'command.undo')
    await expect(toast(page, /^Undone: Pause/)).toBeVisible()
    expect((await call(page, 'project.get', { id: project.id })).data.stored_status).toBe('active')
  })

  test('waits some seconds if it reaches people outside, and can be cancelled until then', async ({ page }) => {
    const project = await projectFor(page, 'project.goLive', 'Approved')
    await page.clock.install()
    await atProject(page, project)
    await run(page, 'project.goLive')
    await review(page, 'Launch')
    await expect(toast(page, /in \d s/)).toContainText(`Go live: “${project.name}”`)
    await press(page, 'command.undo')
    await expect(toast(page, /in \d s/)).toHaveCount(0)
    let sent = 0
    page.on('request', (request) => request.method() !== 'GET' && sent++)
    await page.clock.fastForward(20_000)
    await drawn(page)
    expect(sent).toBe(0)
    expect((await call(page, 'project.get', { id: project.id })).data.stored_status).toBe('approved')
  })
})
