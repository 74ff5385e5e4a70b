import { href } from '../../src/routing/routes.ts'
import { atProject, pills } from '../e2e/at-palette.ts'
import {
  call,
  drawn,
  field,
  goTo,
  keys,
  palette,
  pane,
  press,
  projectFor,
  projects,
  review,
  rows,
  run,
  search,
  selected,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test.describe('a command’s questions', { tag: '@quick' }, () => {
  test('keep their choice when the pill is reopened: Enter takes it again, not the first of the list', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners')
    await call(page, 'invitation.create', { id: project.id, partner_ids: [201, 202, 203] })
    await atProject(page, project)
    await run(page, 'invitation.newLink')
    await expect(selected(page)).toHaveCount(1)
    await keys(page, 'ArrowDown ArrowDown')
    await drawn(page)
    await page.keyboard.press('Enter')
    await expect(pills(page)).toHaveCount(1)
    const partner = (await pills(page).textContent())!
    await page.keyboard.press('Backspace')
    await expect(selected(page)).toContainText(partner)
    await page.keyboard.press('Enter')
    await expect(pills(page)).toHaveText([partner])
    await expect(palette(page)).toContainText('Make a new link for this partner')
  })

  test('filled in by a link open at their review', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners', 'Pending')
    const [partner] = (await call(page, 'partner.dropdown')).data.filter(
      ({ id }) => !project.partners.some((one) => one.id === id),
    )
    await goTo(page, `${href('project', { id: project.id })}?do=project.invitePartners&partners=${partner!.id}`)
    await expect(palette(page)).toContainText('Invite partners')
    await expect(selected(page)).toHaveAttribute('data-row', 'go')
    // A record that doesn't exist can't be an answer: the palette says so and asks again.
    await goTo(page, `${href('project', { id: project.id })}?do=project.invitePartners&partners=999999`)
    await expect(toast(page, 'Partner 999999 doesn’t exist')).toBeVisible()
    await expect(field(page)).toHaveAccessibleName('Partners')
  })

  test('filled in by a link never run by themselves', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners', 'Pending')
    const [partner] = (await call(page, 'partner.dropdown')).data.filter(
      ({ id }) => !project.partners.some((one) => one.id === id),
    )
    await goTo(page, `${href('project', { id: project.id })}?do=project.invitePartners&partners=${partner!.id}`)
    await expect(palette(page)).toContainText('Invite partners')
    await page.keyboard.press('Escape')
    const { data } = await call(page, 'project.get', { id: project.id })
    expect(data.partners.map(({ id }) => id)).not.toContain(partner!.id)
  })
})

test.describe('the last command', { tag: '@quick' }, () => {
  test('is repeated by the . key, on the current record', async ({ page }) => {
    const [one, two] = (await projects(page, 'Pending')).filter(
      (row) => row.allowed_actions.includes('project.assignPartner') && !row.partners.length,
    )
    const [partner] = (await call(page, 'partner.dropdown')).data
    await atProject(page, one!)
    await run(page, 'project.invitePartners', partner!.name, '')
    await review(page, 'Invite this partner')
    await expect(toast(page, '1 partner invited')).toBeVisible()
    await search(page, `#${two!.id}`)
    await expect(selected(page)).toContainText(two!.name)
    await page.keyboard.press('Enter')
    await expect(pane(page).getByRole('heading', { level: 1, name: two!.name })).toBeVisible()
    await press(page, 'command.again')
    await review(page, 'Invite this partner')
    await expect(toast(page, '1 partner invited')).toHaveCount(2)
  })

  test('is first in an empty palette', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners', 'Pending')
    const [partner] = (await call(page, 'partner.dropdown')).data.filter(
      ({ id }) => !project.partners.some((one) => one.id === id),
    )
    await atProject(page, project)
    await run(page, 'project.invitePartners', partner!.name, '')
    await review(page, 'Invite this partner')
    await expect(toast(page, '1 partner invited')).toBeVisible()
    await search(page)
    await expect(rows(page).first()).toContainText('Again: Invite partners')
  })
})
