import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { atProject, pills } from '../e2e/at-palette.ts'
import {
  answer,
  call,
  clipboard,
  drawn,
  field,
  goTo,
  keys,
  type ProjectRow,
  palette,
  pane,
  press,
  projects,
  review,
  run,
  selected,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { withoutPartners } from '../support/marketplace.ts'
import { today } from '../support/today.ts'

// An administrator's commands on a quote: their questions, messages and writes.

/** A project at requirements, to which nobody is invited. */
const waiting = async (page: Page): Promise<ProjectRow> =>
  (await projects(page)).find((row) => row.stored_status === 'requirements')!

interface Offer {
  partner_id: number
  completes: number
  cpi_cents: number
}
/** A project on quote with these partners' offers, out of 200 completes. */
async function offered(page: Page, offers: readonly Offer[], silent: readonly number[] = []): Promise<ProjectRow> {
  const project = await waiting(page)
  const ids = [...offers.map(({ partner_id }) => partner_id), ...silent]
  await call(page, 'invitation.create', { id: project.id, partner_ids: ids })
  for (const { completes, ...offer } of offers)
    await call(page, 'proffer.create', {
      ...offer,
      ...{ campaign_id: project.id, fill_requirements: 'Yes', feasible_completes: completes, on_behalf: 'By phone' },
    })
  return project
}
const THREE: readonly Offer[] = [
  { partner_id: 201, completes: 120, cpi_cents: 200 },
  { partner_id: 202, completes: 200, cpi_cents: 300 },
  { partner_id: 203, completes: 80, cpi_cents: 250 },
]
/** The last write of a call. */
const written = (api: { writes: readonly { id: string; input: unknown }[] }, id: string) =>
  api.writes.findLast((one) => one.id === id)?.input as Record<string, unknown> | undefined
const enter = async (page: Page) => {
  // An Enter before the review's effects and focus have come confirms nothing.
  await expect(palette(page).locator('[data-review][aria-busy]')).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
}

/** Types the last answer and confirms it once the field shows it, because an earlier Enter confirms nothing. */
const confirmWith = async (page: Page, text: string) => {
  await page.keyboard.type(text)
  await expect(field(page)).toHaveValue(text)
  await enter(page)
}

test.describe('inviting partners', () => {
  test('asks only for the partners, and uses the defaults for the rest', { tag: '@quick' }, async ({ page, api }) => {
    const project = await waiting(page)
    await atProject(page, project)
    await press(page, 'project.invitePartners', 'project')
    await expect(field(page)).toHaveAttribute('aria-label', 'Partners')
    await expect(selected(page)).toContainText('Panel North')
    await keys(page, 'Space')
    await expect(selected(page)).toContainText('Quick Answers')
    await keys(page, 'Space Enter')
    await expect(palette(page)).toContainText('Invite 2 partners')
    await expect(pills(page)).toHaveText([
      'Panel North, Quick Answers',
      '+ Message',
      '+ Requirements',
      'Not shown',
      /Answer by \d\d\/\d\d\/\d{4}/,
      'Email now',
    ])
    await enter(page)
    await expect(toast(page, '2 partners invited')).toBeVisible()
    expect(written(api, 'invitation.create')).toMatchObject({
      partner_ids: [201, 202],
      mail: true,
      answer_by: (await call(page, 'project.quote', { id: project.id })).data.usual_answer_by,
    })
  })

  test('accepts a message and “no mail” when the user goes back to these answers', async ({ page, api }) => {
    await atProject(page, await waiting(page))
    await run(page, 'project.invitePartners', 'Tally', '')
    await expect(palette(page)).toContainText('Invite this partner')
    await keys(page, 'Backspace')
    await expect(field(page)).toHaveAttribute('aria-label', 'Email')
    await keys(page, 'ArrowDown Enter')
    await expect(palette(page)).toContainText('Nobody is emailed')
    await palette(page).locator('[data-pill="Message"]').click()
    await page.keyboard.type('Soft launch on Monday')
    await page.keyboard.press('Enter')
    await review(page, 'Nobody is emailed')
    await expect(toast(page, '1 partner invited')).toBeVisible()
    expect(written(api, 'invitation.create')).toMatchObject({ message: 'Soft launch on Monday', mail: false })
  })

  test('puts partners without an email address last, and says what to do', async ({ page, api }) => {
    await api.set('partners', 201, { email: '' })
    await atProject(page, await waiting(page))
    await press(page, 'project.invitePartners', 'project')
    const rows = palette(page).locator('[role=option]')
    await expect(rows.nth(4)).toContainText('Panel North')
    await expect(rows.nth(4)).toContainText('No email address: copy the link instead')
  })

  test('without any partner, leads to the form that adds one', async ({ page, api }) => {
    await withoutPartners(api)
    await atProject(page, await waiting(page))
    await press(page, 'project.invitePartners', 'project')
    await expect(toast(page, 'there is no partner yet')).toBeVisible()
    await expect(page).toHaveURL(/new-partner-form/)
  })

  test('works from a link of an earlier release', async ({ page }) => {
    const project = await waiting(page)
    await goTo(page, `${href('project', { id: project.id })}?do=project.assignPartner&partner=203`)
    await expect(palette(page)).toContainText('Invite this partner')
    await expect(pills(page).first()).toHaveText('Reach Research')
  })

  test('to several projects invites to each', async ({ page, api }) => {
    const ids = (await projects(page)).filter((row) => row.stored_status === 'requirements').map(({ id }) => id)
    const both = ids.slice(0, 2)
    await goTo(page, `${href('allProjects')}?do=project.invitePartners&on=project:${both.join()}&partners=201,202`)
    await review(page, 'Invite 2 partners to 2 projects?')
    await expect(toast(page, '2 projects have invited their partners')).toBeVisible()
    const writes = api.writes.filter(({ id }) => id === 'invitation.create').map(({ input }) => (input as { id: number }).id)
    expect(writes.toSorted()).toEqual(both.toSorted())
  })
})

test.describe('reminding', () => {
  test('reaches all silent partners, and names those it skips with the time', async ({ page, api }) => {
    const project = await offered(page, THREE.slice(0, 1), [202, 203])
    await call(page, 'invitation.remind', { id: project.id, partner_ids: [202] })
    await atProject(page, project)
    await press(page, 'project.remind', 'project')
    await expect(palette(page)).toContainText('Remind Reach Research of')
    await expect(palette(page)).toContainText(/Skipped: Quick Answers: reminded today, next from \d/)
    await enter(page)
    await expect(toast(page, '1 partner reminded')).toBeVisible()
    expect(written(api, 'invitation.remind')).toMatchObject({ partner_ids: [203] })
  })

  test('is refused with the reason once everybody has answered', async ({ page }) => {
    await atProject(page, await offered(page, THREE.slice(0, 1)))
    await press(page, 'project.remind', 'project')
    await expect(toast(page, 'no partner is silent')).toBeVisible()
  })
})

test.describe('taking offers', () => {
  test('fills the order by the cheapest mix, at the usual margin, for two weeks', { tag: '@quick' }, async ({ page, api }) => {
    await atProject(page, await offered(page, THREE))
    await press(page, 'project.takeOffers', 'project')
    // 120 at $2.00 and 80 at $2.50 cost $440.
    await expect(field(page)).toHaveValue('677')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
    await page.keyboard.press('Enter')
    await expect(palette(page)).toContainText(
      'Quote $677 for 200 completes: partners $440, margin $237 (35 %). The client gets it by email.',
    )
    await enter(page)
    await expect(toast(page, 'The cost was set')).toHaveCount(0)
    await expect
      .poll(() => written(api, 'project.setCost'))
      .toMatchObject({
        cost_cents: 67_700,
        valid_until: addDays(today(), 14),
        notify: true,
        shares: [{ completes: 120 }, { completes: 80 }],
      })
  })

  test('asks for the cost again when another mix is chosen', async ({ page }) => {
    await atProject(page, await offered(page, THREE))
    await press(page, 'project.takeOffers', 'project')
    await expect(field(page)).toHaveValue('677')
    await palette(page).locator('[data-pill="Mix"]').click()
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    // 200 at $3.00 cost $600.
    await expect(field(page)).toHaveAttribute('aria-label', 'Cost')
    await expect(field(page)).toHaveValue('924')
  })

  test('below cost warns in red, and requires a reason', async ({ page, api }) => {
    await atProject(page, await offered(page, THREE))
    await press(page, 'project.takeOffers', 'project')
    await field(page).fill('400')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAttribute('aria-label', 'Reason')
    await page.keyboard.type('First order of a large client')
    await page.keyboard.press('Enter')
    await expect(palette(page).locator('.text-red-ink')).toContainText('margin -$40 (-10 %)')
    await enter(page)
    await expect.poll(() => written(api, 'project.setCost')).toMatchObject({ reason: 'First order of a large client' })
  })

  test('reports the completes that nobody fills', async ({ page }) => {
    await atProject(page, await offered(page, THREE.slice(0, 1)))
    await press(page, 'project.takeOffers', 'project')
    await keys(page, 'Enter Enter')
    await expect(palette(page)).toContainText('80 of 200 can’t be filled.')
  })

  test('is refused if the offer has ended', async ({ page, api }) => {
    const yesterday = addDays(today(), -1)
    const project = await offered(page, THREE.slice(0, 1))
    await api.change((tx) => tx.updateTable('proffers').set({ valid_until: yesterday }).execute())
    await atProject(page, project)
    await press(page, 'project.takeOffers', 'project')
    await expect(toast(page, `Panel North’s offer ended on ${yesterday}`)).toBeVisible()
  })

  test('is refused before anybody has answered', async ({ page }) => {
    await atProject(page, await offered(page, [], [201]))
    await press(page, 'project.takeOffers', 'project')
    await expect(toast(page, 'no partner has answered yet')).toBeVisible()
  })

  test('of several projects lists the cost and margin of each', async ({ page, api }) => {
    const first = await offered(page, THREE)
    const second = await offered(page, THREE.slice(1, 2))
    await goTo(page, `${href('allProjects')}?do=project.takeOffers&on=project:${first.id},${second.id}`)
    await expect(palette(page)).toContainText('Quote 2 projects for $1,601 in all?')
    await expect(palette(page)).toContainText(`“${first.name}”$677, margin $237 (35 %)`)
    await expect(palette(page)).toContainText(`“${second.name}”$924, margin $324 (35.1 %)`)
    await enter(page)
    await expect(toast(page, '2 projects are quoted to their clients')).toBeVisible()
    expect(api.writes.filter(({ id }) => id === 'project.setCost')).toHaveLength(2)
  })

  test('from a button shows every answer in one dialog, and the cost follows the mix', async ({ page }) => {
    await atProject(page, await offered(page, THREE))
    await pane(page).locator('header [data-command="project.takeOffers"]').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('textbox', { name: 'Cost' })).toHaveValue('677')
    await dialog.getByRole('radio', { name: /One partner/ }).click()
    await expect(dialog.getByRole('textbox', { name: 'Cost' })).toHaveValue('924')
    await expect(dialog).toContainText('Quote $924 for 200 completes: partners $600, margin $324 (35.1 %)')
    await answer(page, 'Send quote')
    // A mouse user gets a dialog, a keyboard user a notice.
    await expect(page.getByRole('dialog', { name: 'Quoted' })).toContainText('The client gets the quote by email.')
  })
})

test.describe('a cost', () => {
  test('that can’t be saved says so by keys in a notice with Retry, and opens no dialog', async ({ page, api }) => {
    await atProject(page, await offered(page, THREE))
    api.refusals.set('project.setCost', { status: 500, body: { message: 'The disk is full.', code: 'fault', fields: {} } })
    await press(page, 'project.setCost', 'project')
    await field(page).fill('800')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAttribute('aria-label', 'What for')
    await page.keyboard.type('Keep as target')
    await page.keyboard.press('Enter')
    await review(page, 'Set the target cost')
    await expect(toast(page, 'The disk is full.').getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('is kept as a target that the client doesn’t see', async ({ page, api }) => {
    await atProject(page, await offered(page, THREE))
    await press(page, 'project.setCost', 'project')
    await field(page).fill('800')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAttribute('aria-label', 'What for')
    await page.keyboard.type('Keep as target')
    await page.keyboard.press('Enter')
    await expect(palette(page)).toContainText('The cheapest offers cost $440.00: margin $360 (45 %).')
    await review(page, 'Set the target cost')
    await expect(toast(page, 'The target cost is $800.00')).toBeVisible()
    expect(written(api, 'project.setCost')).toMatchObject({ cost_cents: 80_000, hold: true })
  })
})

test.describe('a partner’s invitation', () => {
  test('is revoked with a reason, and restored by undo', async ({ page, api }) => {
    const project = await offered(page, [], [201, 202])
    await atProject(page, project)
    await run(page, 'invitation.revoke', 'Quick', 'They have no panel there')
    await expect(toast(page, 'Quick Answers’s invitation is revoked')).toBeVisible()
    expect(written(api, 'invitation.revoke')).toMatchObject({ partner_id: 202, reason: 'They have no panel there' })
    await press(page, 'command.undo')
    await expect(toast(page, /^Undone: Revoke invitation/)).toBeVisible()
    const { data } = await call(page, 'project.quote', { id: project.id })
    expect(data.rounds[0]!.invitations.map(({ revoked_at }) => revoked_at)).toEqual([null, null])
  })

  test('gets a new link, shown once', async ({ page }) => {
    await atProject(page, await offered(page, [], [201, 202]))
    await run(page, 'invitation.newLink', 'Quick')
    await review(page, 'Make a new link')
    await expect(page.getByRole('dialog', { name: 'New link' })).toContainText('/528/202?token=')
  })

  test.describe('whose link is copied', () => {
    test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
    test('stays the one that was mailed', async ({ page, api }) => {
      await atProject(page, await offered(page, [], [201, 202]))
      await run(page, 'invitation.copyLink', 'Quick')
      await expect(toast(page, /^The link was copied\. It opens the request until/)).toBeVisible()
      expect(await clipboard(page)).toMatch(/\/528\/202\?token=[\w.-]+$/)
      expect(written(api, 'invitation.link')).toMatchObject({ partner_id: 202, renew: false })
    })
  })

  test('is answered by phone, with how they answered', async ({ page, api }) => {
    await atProject(page, await offered(page, [], [201, 202]))
    await run(page, 'proffer.enter', 'Panel', 'Yes', '150', '2.40', '6')
    await expect(field(page)).toHaveAttribute('aria-label', 'Source')
    await expect(palette(page)).toContainText('Answer Yes for this partner?')
    await confirmWith(page, 'By phone with Ana')
    await expect(toast(page, 'Answer sent')).toBeVisible()
    expect(written(api, 'proffer.create')).toMatchObject({
      ...{ partner_id: 201, fill_requirements: 'Yes', feasible_completes: 150, cpi_cents: 240, field_days: 6 },
      on_behalf: 'By phone with Ana',
    })
  })
})

test('an administrator sees the effect while approving: Enter in the note is the last key', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const project = (await projects(page)).find((row) => row.stored_status === 'submit_approval')!
  await atProject(page, project)
  await press(page, 'project.approve', 'project')
  await expect(field(page)).toHaveAttribute('aria-label', 'Note')
  await expect(palette(page)).toContainText('Approve “')
  await expect(palette(page)).toContainText('This can’t be undone.')
  await confirmWith(page, 'They said yes by phone')
  await expect.poll(() => written(api, 'project.approve')).toMatchObject({ reason: 'They said yes by phone' })
})
