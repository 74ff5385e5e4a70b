import type { Page } from '@playwright/test'

/** Returns the texts that React keeps by their nodes, which a translator replaces. */
export const looseTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Fiber {
      tag: number
      memoizedProps: unknown
      child: Fiber | null
      sibling: Fiber | null
      return: Fiber | null
      stateNode: { parentElement?: Element | null; current?: Fiber }
    }
    const root = document.getElementById('root') as unknown as Record<string, Fiber>
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'))!
    const HOST_TEXT = 6
    const loose: string[] = []
    const rest: Fiber[] = [root[key]!.stateNode.current!]
    for (let fiber = rest.pop(); fiber; fiber = rest.pop()) {
      if (fiber.tag === HOST_TEXT && /\S/.test(String(fiber.memoizedProps)))
        loose.push(`${fiber.memoizedProps} in ${fiber.stateNode.parentElement?.outerHTML.slice(0, 160)}`)
      if (fiber.sibling) rest.push(fiber.sibling)
      if (fiber.child) rest.push(fiber.child)
    }
    return loose
  })
