import type { Page } from '@playwright/test'

/** What every test's server answers. */
const PROBE = '/healthz?routed'
const PROBES = /\/healthz\?routed$/

/**
 * Makes `page.route` return only once the page's requests come to its routes.
 * A busy page that is open already learns a moment later that it has routes, and until then asks the server.
 */
export function routeAtOnce(page: Page): void {
  const route = page.route.bind(page)
  page.route = async (...what) => {
    const routed = await route(...what)
    if (!page.isClosed() && page.url().startsWith('http')) {
      await route(PROBES, (probe) => probe.fulfill({ body: PROBE }))
      // A page that goes elsewhere meanwhile opens with its routes.
      await page.evaluate(untilRouted, PROBE).catch(() => {})
      await page.unroute(PROBES)
    }
    return routed
  }
}

/** In the page: makes a request until a route answers it. */
async function untilRouted(probe: string): Promise<void> {
  const answer = () => fetch(probe, { cache: 'no-store' }).then((response) => response.text(), String)
  // Without a pause, because a test may have stopped the page's clock.
  while ((await answer()) !== probe);
}
