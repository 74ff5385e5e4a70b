// `node scripts/pictures.ts [address] [folder] [--size=phone,zoom] [--theme=dark] [--only=text] [--as=client]`:
// takes every screen of a running server with the demo marketplace, and puts the pictures on sheets to look at.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { routeIds, rowOf } from '../src/routing/routes.ts'
import { pathWith, recordIds } from '../tests/e2e/recordIds.ts'
import { PASSWORD, PEOPLE } from '../tests/e2e/verbs.ts'
import { chromiumArgs, chromiumPath } from '../tests/support/chromium.ts'

const SIZES = {
  wide: { width: 1440, height: 900, across: 2, shown: 960 },
  laptop: { width: 1024, height: 768, across: 2, shown: 800 },
  phone: { width: 390, height: 844, across: 5, shown: 360 },
  zoom: { width: 320, height: 256, across: 5, shown: 320 },
} as const
/** Rows of pictures on a sheet. */
const DOWN = { wide: 2, laptop: 2, phone: 2, zoom: 5 } as const
/** Longest wait for what a screen loads, in ms; the live stream never lets the network be idle. */
const LONGEST = 6000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: 'wide,laptop,phone,zoom' },
    theme: { type: 'string', default: 'light,dark' },
    only: { type: 'string' },
    as: { type: 'string', default: 'admin' },
  },
})
const [address = 'http://127.0.0.1:4100', folder = 'test-results/pictures'] = positionals
await mkdir(folder, { recursive: true })

const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
const context = await browser.newContext({ baseURL: address, locale: 'en-US', timezoneId: 'America/New_York' })
const email = PEOPLE[values.as as keyof typeof PEOPLE]
await context.request.post('/v3/portal/auth/sign_in', {
  headers: { 'x-fieldwork': 'workspace' },
  data: { email, password: PASSWORD, remember_cookie: true },
})
const page = await context.newPage()
const ids = await recordIds(page)
const screens = routeIds
  .flatMap((id) => {
    const row = rowOf(id)
    if (row.leads || id === 'snapshot') return []
    if (row.outside) return row.guests ? [] : []
    const tabs = Object.values(row.tabs ?? {})
    return tabs.length ? tabs.map((tab) => ({ id, path: `${row.path}/${tab.path}` })) : [{ id, path: row.path }]
  })
  .filter(({ id, path }) => !values.only || values.only.split(',').some((part) => `${id} ${path}`.includes(part)))

for (const size of values.size.split(',') as (keyof typeof SIZES)[]) {
  const { width, height, across, shown } = SIZES[size]
  await page.setViewportSize({ width, height })
  for (const theme of values.theme.split(',') as ('light' | 'dark')[]) {
    await page.emulateMedia({ colorScheme: theme })
    const taken: { name: string; picture: Buffer }[] = []
    for (const screen of screens) {
      const path = pathWith(ids, screen)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await page.waitForSelector('main', { timeout: LONGEST }).catch(() => {})
      await page
        .waitForFunction(() => !document.querySelector('[data-loading], [aria-busy=true]'), null, { timeout: LONGEST })
        .catch(() => console.warn(`${path} was still loading`))
      await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))))
      taken.push({ name: path, picture: await page.screenshot({ animations: 'disabled' }) })
    }
    const high = Math.round((height * shown) / width)
    const label = 20
    for (let at = 0; at < taken.length; at += across * DOWN[size]) {
      const part = taken.slice(at, at + across * DOWN[size])
      const layers = await Promise.all(
        part.flatMap(({ name, picture }, i) => {
          const left = (i % across) * (shown + 8)
          const top = Math.floor(i / across) * (high + label + 8)
          return [
            sharp(picture)
              .resize(shown, high)
              .toBuffer()
              .then((input) => ({ input, left, top: top + label })),
            { input: labelOf(name, shown), left, top },
          ]
        }),
      )
      const sheet = sharp({
        create: {
          width: across * (shown + 8),
          height: Math.ceil(part.length / across) * (high + label + 8),
          channels: 3,
          background: '#888',
        },
      })
      const name = `${size}-${theme}-${String(at / (across * DOWN[size]) + 1).padStart(2, '0')}.png`
      await writeFile(join(folder, name), await sheet.composite(layers).png().toBuffer())
      console.log(`${name}: ${part.map((one) => one.name).join(' ')}`)
    }
  }
}
await browser.close()

function labelOf(name: string, width: number): Buffer {
  const text = name.replace(/[<&]/g, ' ')
  return Buffer.from(
    `<svg width="${width}" height="20"><rect width="100%" height="100%" fill="#222"/><text x="4" y="14" font-family="monospace" font-size="11" fill="#fff">${text}</text></svg>`,
  )
}
