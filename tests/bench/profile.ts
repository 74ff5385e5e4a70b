// Profiles a page's own thread, for `--profile` of the browser benches.
import type { CDPSession, Page } from '@playwright/test'

/** Starts a sampling profile of a page. */
export async function startProfile(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Profiler.enable')
  await cdp.send('Profiler.setSamplingInterval', { interval: 200 })
  await cdp.send('Profiler.start')
  return cdp
}

/** Stops it, and prints the functions with the most self time, and the time by script. */
export async function printProfile(cdp: CDPSession): Promise<void> {
  const { profile } = await cdp.send('Profiler.stop')
  const own = new Map<string, number>()
  const scripts = new Map<string, number>()
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  profile.samples?.forEach((id, at) => {
    const { functionName, url, lineNumber, columnNumber } = byId.get(id)!.callFrame
    const name = `${functionName || '(anonymous)'} ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber}`
    const ms = (profile.timeDeltas?.[at] ?? 0) / 1000
    own.set(name, (own.get(name) ?? 0) + ms)
    const script = /([^/]+)-[\w-]{8}\.js$/.exec(url)?.[1] ?? (url || functionName)
    scripts.set(script, (scripts.get(script) ?? 0) + ms)
  })
  const byScript = [...scripts].sort((a, b) => b[1] - a[1]).slice(0, 30)
  console.table(byScript.map(([script, ms]) => ({ script, ms: Math.round(ms) })))
  const most = [...own].sort((a, b) => b[1] - a[1]).slice(0, 30)
  console.table(most.map(([where, ms]) => ({ where, ms: Math.round(ms) })))
}
