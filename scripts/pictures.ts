// `node scripts/pictures.ts [address] [folder]`, with `--size=phone,zoom --theme=dark --only=text --as=client --nth=4`:
// captures every screen of a running server with demo data, and arranges the pictures on sheets for review.
// `nth` selects another record of each kind, because the newest one has no responses yet.
// It invites a user and renews a partner's link, to capture the pages of such links.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { routeIds, rowOf } from '../src/routing/routes.ts'
import { guestPaths } from '../tests/e2e/guestPaths.ts'
import { clientRecordIds, pathWith, recordIds } from '../tests/e2e/recordIds.ts'
import { PASSWORD, PEOPLE } from '../tests/e2e/verbs.ts'
import { chromiumArgs, chromiumPath } from '../tests/support/chromium.ts'

/** The part of the window on a sheet: `from` cuts off the frame, which is the same on all screens behind sign-in. */
const SIZES = {
  wide: { width: 1440, height: 900, across: 2, down: 2, shown: 0.56, from: { left: 200, top: 38 } },
  laptop: { width: 1024, height: 768, across: 2, down: 2, shown: 0.64, from: { left: 0, top: 0 } },
  phone: { width: 390, height: 844, across: 4, down: 1, shown: 0.9, from: { left: 0, top: 0 } },
  zoom: { width: 320, height: 256, across: 4, down: 4, shown: 1, from: { left: 0, top: 0 } },
} as const
/** How long a map fades to another theme's colors, in ms. */
const MAP_MS = 700
/** The longest wait for a screen to load, in ms; the live stream never lets the network become idle. */
const LONGEST = 6000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: 'wide,laptop,phone,zoom' },
    theme: { type: 'string', default: 'light,dark' },
    only: { type: 'string' },
    as: { type: 'string', default: 'admin' },
    nth: { type: 'string', default: '0' },
  },
})
const [address = 'http://127.0.0.1:4100', folder = 'test-results/pictures'] = positionals
await mkdir(folder, { recursive: true })

const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
const browserContext = () => browser.newContext({ baseURL: address, locale: 'en-US', timezoneId: 'America/New_York' })
const context = await browserContext()
const email = PEOPLE[values.as as keyof typeof PEOPLE]
await context.request.post('/v3/portal/auth/sign_in', {
  headers: { 'x-fieldwork': 'workspace' },
  data: { email, password: PASSWORD, remember_cookie: true },
})
const page = await context.newPage()
/** A page without a session. */
const guest = await (await browserContext()).newPage()

const ids = values.as === 'client' ? await clientRecordIds(page) : await recordIds(page)
const inside = routeIds.flatMap((id) => {
  const { path, tabs, access, outside, leads } = rowOf(id)
  if (outside || leads || id === 'snapshot') return []
  const all = tabs
    ? Object.values(tabs).map((tab) => ({ id, path: `${path}/${tab.path}`, access: tab.access ?? access }))
    : [{ id, path, access }]
  return all
    .filter((screen) => values.as === 'admin' || screen.access !== 'admin')
    .map((screen) => ({ on: page, id: `${screen.id} ${screen.path}`, path: pathWith(ids, screen, Number(values.nth)) }))
})
const outside = (values.as === 'admin' ? await guestPaths(page) : []).map((path) => ({
  on: guest,
  id: `outside ${path}`,
  path,
}))
const screens = [...outside, ...inside].filter(
  ({ id, path }) => !values.only || values.only.split(',').some((part) => `${id} ${path}`.includes(part)),
)

const themes = values.theme.split(',') as ('light' | 'dark')[]
for (const size of values.size.split(',') as (keyof typeof SIZES)[]) {
  const { width, height } = SIZES[size]
  const taken = new Map(themes.map((theme) => [theme, [] as Taken[]]))
  for (const one of [page, guest]) await one.setViewportSize({ width, height })
  for (const { on, path } of screens) {
    await on.emulateMedia({ colorScheme: themes[0]! })
    await on.goto(path, { waitUntil: 'domcontentloaded' })
    await on.waitForSelector('main', { timeout: LONGEST }).catch(() => {})
    await on
      .waitForFunction(() => !document.querySelector('[data-loading], [aria-busy=true]'), null, { timeout: LONGEST })
      .catch(() => console.warn(`${path} was still loading`))
    for (const theme of themes) {
      await on.emulateMedia({ colorScheme: theme })
      // Charts and maps are redrawn in the theme's colors.
      await on.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      if (await on.locator('canvas').count()) await on.waitForTimeout(MAP_MS)
      await on.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))))
      taken.get(theme)!.push({ name: path, whole: on === guest, picture: await on.screenshot({ animations: 'disabled' }) })
    }
  }
  for (const [theme, pictures] of taken) await putOnSheets(size, theme, pictures)
}
await browser.close()

interface Taken {
  name: string
  /** True to include the frame. */
  whole: boolean
  picture: Buffer
}

async function putOnSheets(size: keyof typeof SIZES, theme: string, pictures: Taken[]): Promise<void> {
  const { width, height, across, down, shown, from } = SIZES[size]
  const wide = Math.round((width - from.left) * shown)
  const high = Math.round((height - from.top) * shown)
  const label = 20
  for (let at = 0; at < pictures.length; at += across * down) {
    const part = pictures.slice(at, at + across * down)
    const layers = await Promise.all(
      part.flatMap(({ name, whole, picture }, i) => {
        const left = (i % across) * (wide + 8)
        const top = Math.floor(i / across) * (high + label + 8)
        const cut = whole ? { left: from.left / 2, top: 0 } : from
        return [
          sharp(picture)
            .extract({ ...cut, width: width - from.left, height: height - from.top })
            .resize(wide, high)
            .toBuffer()
            .then((input) => ({ input, left, top: top + label })),
          { input: labelOf(name, wide), left, top },
        ]
      }),
    )
    const background = '#888'
    const sheet = sharp({
      create: {
        width: Math.min(part.length, across) * (wide + 8),
        height: Math.ceil(part.length / across) * (high + label + 8),
        channels: 3,
        background,
      },
    })
    const name = `${size}-${theme}-${String(at / (across * down) + 1).padStart(2, '0')}.png`
    await writeFile(join(folder, name), await sheet.composite(layers).png().toBuffer())
    console.log(`${name}: ${part.map((one) => one.name).join(' ')}`)
  }
}

function labelOf(name: string, width: number): Buffer {
  const text = name.replace(/\?.*/, '?…').replace(/[<&]/g, ' ')
  return Buffer.from(
    `<svg width="${width}" height="20"><rect width="100%" height="100%" fill="#222"/><text x="4" y="14" font-family="monospace" font-size="11" fill="#fff">${text}</text></svg>`,
  )
}
