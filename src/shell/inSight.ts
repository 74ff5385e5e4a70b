import { store } from '../data/jotaiStore.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** Keeps each column's selected tab visible as names load and columns resize. Returns a function that stops it. */
export function keepTabsInSight(): () => void {
  const shown = () => document.querySelectorAll('[data-column] [role=tablist] > * > [id^=tab-][aria-selected=true]')
  const sizes = new ResizeObserver(() => {
    for (const tab of shown()) tab.parentElement!.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  let frame = 0
  const follow = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      sizes.disconnect()
      for (const tab of shown()) {
        sizes.observe(tab.parentElement!)
        sizes.observe(tab.closest('[role=tablist]')!)
      }
    })
  }
  follow()
  const stop = store.sub(layoutAtom, follow)
  return () => {
    stop()
    cancelAnimationFrame(frame)
    sizes.disconnect()
  }
}

/** Windows so low that a pane scrolls around its list. */
const LOW = window.matchMedia('(max-height: 30rem)')

/** Scrolls to the row under the cursor if a low window scrolls the pane. Returns a function that stops it. */
export function keepRowInSight(): () => void {
  const moved = new MutationObserver((changes) => {
    const list = document.activeElement
    if (!LOW.matches || !changes.some(({ target }) => target === list) || !list?.matches('[role=grid], [role=treegrid]')) return
    list.querySelector('[role=row][data-cursor]')?.scrollIntoView({ block: 'nearest' })
  })
  moved.observe(document.body, { subtree: true, attributeFilter: ['aria-activedescendant'] })
  return () => moved.disconnect()
}
