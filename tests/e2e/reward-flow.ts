import type { Page, Route } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import {
  call,
  cursorRow,
  dialog,
  drawn,
  field,
  goTo,
  keys,
  list,
  login,
  pane,
  pickIn,
  press,
  review,
  run,
  seen,
  selected,
  toast,
  visit,
} from './verbs.ts'

/* Rewards from the catalog to their receivers: a project's rewards, the people in a file, and payments. */

let serial = 0
const fresh = (word: string) => `${word}${Date.now().toString(36)}${++serial}`

/** People in a file who can be paid without corrections. */
const GOOD = 240

/** A new project without rewards. */
async function freshProject(page: Page) {
  const { data: client } = await call(page, 'client.create', { name: fresh('Client ') })
  const days = { start_dt: today(), end_dt: addDays(today(), 21) }
  return (await call(page, 'project.create', { name: fresh('Wave '), client_id: client.id, goal: 300, ...days })).data
}

/** Valid lines, two with one address, an amount that can't be paid, and two errors. */
function people(word: string): string {
  const good = Array.from({ length: GOOD }, (_, at) => `${word}.${at}@mail.test,,$5 Thanks,B${at}`)
  const others = [`${word}.twice@mail.test,5,,`, `${word}.twice@mail.test,5,,`, `${word}.seven@mail.test,7,,`]
  return ['Who,Amount,Reward,Batch', ...good, ...others, 'nobody,5,,', `${word}.none@mail.test,,$9 Thanks,`].join('\n')
}

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function rewardFlow(test: typeof base, engine: string): void {
  test(`rewards are created, uploaded, searched, paid once and undone by keys, on ${engine}`, async ({ page }) => {
    test.setTimeout(180_000)
    await login(page, 'admin')
    const project = await freshProject(page)
    const word = fresh('ada')
    const entries = async (input: object) => call(page, 'entry.list', { id: project.id, status: 'all', ...input } as never)
    /** How many of the project's rewards have a status. */
    const standing = async () => {
      const { totals } = await entries({})
      return Object.fromEntries(totals!.filter(({ count }) => count > 0).map(({ status, count }) => [status, count]))
    }
    let upload = 0

    await test.step('a reward is created by its form, which warns about an amount that can’t be paid', async () => {
      await goTo(page, href('newReward', { id: project.id }))
      const name = pane(page).getByRole('textbox', { name: /^Reward name/ })
      await expect(name).toBeFocused()
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Reward Name cannot be blank')
      await expect(pane(page)).toContainText('Reward Amount cannot be blank')
      await name.focus()
      await page.keyboard.type('$6 Thanks')
      await pane(page)
        .getByRole('textbox', { name: /^Amount/ })
        .focus()
      await page.keyboard.type('6')
      await expect(pane(page)).toContainText('Gift card pays 5, 10, 15, 20, 25, 50.')
      await press(page, 'form.send')
      await dialog(page, 'Reward created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(new RegExp(`project-info/${project.id}/project-rewarded`))
    })

    await test.step('it is edited beside the catalogue', async () => {
      await visit(page, href('project', { id: project.id }, { tab: 'catalogue' }))
      await list(page)
      await expect(cursorRow(page)).toContainText('$6 Thanks')
      await press(page, 'list.open')
      const name = pane(page).getByRole('textbox', { name: /^Reward name/ })
      await expect(name).toHaveValue('$6 Thanks')
      await name.fill('$5 Thanks')
      await pane(page)
        .getByRole('textbox', { name: /^Amount/ })
        .fill('5')
      await press(page, 'form.send')
      await expect(cursorRow(page)).toContainText('$5.00')
      const { data } = await call(page, 'reward.ofProject', { id: project.id })
      expect(data.map(({ name, amount_cents }) => [name, amount_cents])).toEqual([['$5 Thanks', 500]])
    })

    await test.step('a file is checked line by line, and isn’t sent while a changed column is checked', async () => {
      await goTo(page, href('project', { id: project.id }, { tab: 'rewardUpload' }))
      const file = { name: `${word}.csv`, mimeType: 'text/csv', buffer: Buffer.from(people(word)) }
      await expect(pane(page).getByRole('button', { name: /Choose a CSV file/ })).toBeVisible()
      await pane(page).locator('input[type=file]').setInputFiles(file)
      const create = (number: number) => pane(page).getByRole('button', { name: `Create ${number} pending entries` })
      await expect(create(GOOD + 3)).toBeVisible()
      await expect(pane(page).getByRole('table', { name: 'Lines with problems' })).toContainText('The Email is not valid')
      // Holds the next check until this test releases it.
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const holding = async (route: Route) => {
        await held
        await route.continue()
      }
      await page.route('**/v3/rewards/redeem/file', holding, { times: 1 })
      const batch = pane(page).getByRole('combobox', { name: 'Batch is' })
      await pickIn(batch, 'Note')
      await press(page, 'form.send')
      await expect(toast(page, 'The file is still being checked.')).toBeVisible()
      expect(await standing()).toEqual({})
      goOn()
      await expect(create(GOOD + 3)).toBeEnabled()
      await expect(pane(page)).toContainText(
        `${GOOD + 3} pending entries, $1,217.00. Nothing is paid. 1 amount can’t be paid and 1 address repeats: both are flagged.`,
      )
    })

    await test.step('it becomes pending entries, with its errors row by row and as a file', async () => {
      await press(page, 'form.send')
      await expect(page).toHaveURL(/upload=\d+/)
      upload = Number(/upload=(\d+)/.exec(page.url())![1])
      await expect.poll(standing, { timeout: 20_000 }).toEqual({ pending: GOOD + 3 })
      const lines = pane(page).getByRole('table', { name: /^All: 4 lines/ })
      await expect(lines).toContainText('“$9 Thanks” is not a reward of this project')
      await expect(lines).toContainText(`same as line ${GOOD + 2}`)
      const download = page.waitForEvent('download')
      await press(page, 'import.errors')
      await expect(selected(page)).toContainText('CSV')
      await page.keyboard.press('Enter')
      expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    })

    await test.step('the same file is refused, and a link to it as a record leads to the upload', async () => {
      await goTo(page, href('locationFile', { id: upload }))
      await expect(page).toHaveURL(new RegExp(`project-info/${project.id}/reward-upload\\?upload=${upload}`))
      await expect(pane(page).getByRole('region', { name: `Upload ${word}.csv` })).toBeVisible()
    })

    await test.step('its entries are shown by a key, and all but the flagged are selected, summed and reviewed', async () => {
      await press(page, 'import.show')
      await expect(page).toHaveURL(new RegExp(`import=${upload}`))
      await list(page)
      await press(page, 'list.markAll')
      await expect(pane(page)).toContainText(`${GOOD} selected · $1,200.00`)
      await expect(pane(page)).toContainText('3 skipped: flagged')
    })

    await test.step('the list sorts by flag, and a cluster opens and closes in place', async () => {
      await press(page, 'list.clearMarks')
      const head = pane(page).getByRole('columnheader', { name: /^Flags/ })
      await expect(head).toBeVisible()
      await visit(page, href('project', { id: project.id }, { tab: 'rewardCenter', query: { import: upload, sort: '-flags' } }))
      await list(page)
      const twice = pane(page)
        .getByRole('row')
        .filter({ hasText: `${word}.twice@mail.test` })
      await expect(cursorRow(page)).toContainText(`${word}.twice@mail.test`)
      await expect(twice).toHaveCount(2)
      await press(page, 'list.expand')
      await expect(cursorRow(page)).toHaveAttribute('aria-expanded', 'true')
      await expect(twice).toHaveCount(3)
      await press(page, 'list.collapse')
      await expect(twice).toHaveCount(2)
      await press(page, 'list.markAll')
      await expect(pane(page)).toContainText(`${GOOD} selected · $1,200.00`)
    })

    await test.step('what was rejected meanwhile is skipped and named, and the rest is paid once', async () => {
      const { data } = await entries({ search: `${word}.0@mail.test` })
      await press(page, 'entry.redeem')
      await expect(field(page)).toBeFocused()
      await call(page, 'entry.reject', { id: data[0]!.id, reason: 'Left the panel' } as never)
      await review(page, `Pay ${GOOD} rewards, $1,200.00 in all?`)
      const failed = await dialog(page)
      await expect(failed).toContainText(`${word}.0@mail.test`)
      await keys(page, 'Escape')
      await expect.poll(standing, { timeout: 40_000 }).toEqual({ pending: 3, rejected: 1, sent: GOOD - 1 })
      const { data: sent } = await entries({ status: 'sent', per_page: 500 })
      const again = await call(page, 'entry.redeem', { ids: sent.map(({ id }) => id), confirm_repeats: true } as never)
      expect(again.data.done).toEqual([])
      expect((await call(page, 'receiver.list', { import_id: upload, status: 'sent' })).count).toBe(GOOD - 1)
    })

    await test.step('receivers are filtered by flag and found by the beginning of an address, which no link contains', async () => {
      await visit(page, href('rewardReceivers', {}, { query: { import: upload, flag: 'email' } }))
      await list(page)
      await expect(
        pane(page)
          .getByRole('row')
          .filter({ hasText: `${word}.twice@mail.test` }),
      ).toHaveCount(2)
      await visit(page, href('rewardReceivers', {}))
      await list(page)
      await press(page, 'list.search')
      await page.keyboard.type(`${word}.twice@`)
      await expect(pane(page).getByRole('row').filter({ hasText: '@mail.test' })).toHaveCount(2)
      expect(decodeURIComponent(page.url())).not.toContain('@')
      await keys(page, 'Enter')
      await list(page)
    })

    await test.step('the repeats are selected by a key and rejected with their sum; undo makes them pending', async () => {
      await press(page, 'entry.selectCluster', 'entry')
      await expect(pane(page)).toContainText('2 selected · $10.00')
      await press(page, 'entry.reject')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('Twice')
      await keys(page, 'Enter')
      await review(page, 'Reject 2 rewards, $10.00 in all?')
      await expect.poll(standing).toEqual({ pending: 1, rejected: 3, sent: GOOD - 1 })
      await press(page, 'command.undo')
      await expect.poll(standing).toEqual({ pending: 3, rejected: 1, sent: GOOD - 1 })
    })

    await test.step('undoing the upload removes what nobody touched, and says what stayed', async () => {
      await visit(page, href('project', { id: project.id }, { tab: 'rewardUpload', query: { upload } }))
      await expect(pane(page).getByRole('region', { name: `Upload ${word}.csv` })).toContainText(`Sent ${GOOD - 1}`)
      await drawn(page)
      await seen(page)
      await press(page, 'import.undo')
      await review(page)
      await expect(toast(page, `${GOOD + 2} entries stayed.`)).toBeVisible()
      expect(await standing()).toEqual({ rejected: 1, sent: GOOD - 1, pending: 2 })
    })

    await test.step('a reward is deleted without its pending entries, and restored', async () => {
      await visit(page, href('project', { id: project.id }, { tab: 'catalogue' }))
      await list(page)
      await run(page, 'reward.remove')
      await review(page, 'can still be paid.')
      await expect(pane(page)).toContainText('This project has nothing to pay with yet.')
      await press(page, 'command.undo')
      await expect(pane(page).getByRole('row').filter({ hasText: '$5 Thanks' })).toBeVisible()
    })
  })
}
