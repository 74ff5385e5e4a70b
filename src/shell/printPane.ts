import { flushSync } from 'react-dom'
import { moment } from '../data/format.ts'
import { store } from '../data/jotaiStore.ts'
import { linkOfRef } from '../routing/codec.ts'
import { activePane } from '../routing/layout.ts'
import { toast } from '../runner/toast.tsx'
import { setPreparing, setPrinting } from '../ui/printState.ts'
import { attention } from '../workspace/attention.ts'
import { elementOf } from '../workspace/paneElements.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** The width between the margins in px, the smaller one of A4 and Letter paper. */
const PAPER = { portrait: 700, landscape: 960 } as const

let end: (() => void) | null = null

/** Turns the active pane into a document without the workspace around it, until `end` is called. */
function begin(): void {
  // A quote prints a sheet of its own.
  if (end || document.querySelector('[data-sheet]')) return
  const root = document.documentElement
  const pane = activePane(store.get(layoutAtom))
  const element = elementOf(pane.id)
  const shrink = drawingsIn(element)
  const footer = new CSSStyleSheet()
  const now = new Date().toISOString()
  footer.replaceSync(footerOf(location.origin + linkOfRef(pane.ref), `${moment(now, 'day and year')}, ${moment(now, 'clock')}`))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, footer]
  element.dataset.printed = ''
  root.dataset.paper = ''
  flushSync(() => setPrinting(true))
  const restore = shrink()
  end = () => {
    end = null
    restore()
    delete root.dataset.paper
    delete element.dataset.printed
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== footer)
    setPrinting(false)
  }
}

/** How long printing waits for what was never in sight, in ms; then it prints what has come. */
const LONGEST = 20_000
/** How long it takes until it says that it waits, in ms. */
const SLOW = 600
/** How often it looks whether all has come, in ms; nothing may load in two looks in a row. */
const LOOK = 100

/**
 * Prints the active pane once everything in it has loaded, what was never in sight too.
 * If the user has gone on meanwhile, a notice offers to print instead.
 */
export async function printPane(): Promise<void> {
  const waits = attention()
  const element = elementOf(activePane(store.get(layoutAtom)).id)
  const slow = setTimeout(() => void toast('Loading what isn’t in sight, to print it…'), SLOW)
  flushSync(() => setPreparing(true))
  try {
    const until = Date.now() + LONGEST
    for (let quiet = 0; quiet < 2 && Date.now() < until; ) {
      await new Promise((looked) => setTimeout(looked, LOOK))
      quiet = element.querySelector('[data-loading], [aria-busy=true]') ? 0 : quiet + 1
    }
    clearTimeout(slow)
    if (waits()) window.print()
    else if (element.isConnected)
      void toast('Ready to print.', { lasts: 20_000, action: { label: 'Print', run: () => void printPane() } })
  } finally {
    clearTimeout(slow)
    setPreparing(false)
  }
}

/** Returns styles for URL, time and page number at the foot of every page. */
const footerOf = (address: string, time: string): string => {
  const text = (words: string) => `"${words.replace(/["\\]/g, '\\$&')}"`
  const style = 'font: 8pt system-ui, sans-serif; color: #666'
  return `@page { margin: 12mm 12mm 16mm;
    @bottom-left { content: ${text(address)}; ${style} }
    @bottom-right { content: ${text(`${time}, page `)} counter(page) " of " counter(pages); ${style}; white-space: nowrap } }`
}

/**
 * Charts and maps are drawn for the screen's width and can't be redrawn before printing.
 * Call it before the pane is laid out for paper: it returns a function that scales them and returns the way back.
 */
function drawingsIn(element: HTMLElement): () => () => void {
  const width = (one: HTMLElement) => one.getBoundingClientRect().width
  const drawings = [...element.querySelectorAll<HTMLElement>('[data-drawing]')].map((one) => ({ one, drawn: width(one) }))
  return () => {
    // The orientation isn't known yet, so each gets its scale.
    const styles = new CSSStyleSheet()
    const ways = Object.entries(PAPER).map(([way, paper]) => {
      document.body.style.setProperty('width', `${paper}px`, 'important')
      const rules = drawings.map(({ one, drawn }, at) => `[data-drawing="${at}"] { zoom: ${Math.min(1, width(one) / drawn)} }`)
      return `@media (orientation: ${way}) { ${rules.join(' ')} }`
    })
    document.body.style.width = ''
    styles.replaceSync(ways.join('\n'))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles]
    // With a fixed width, the scale doesn't resize them.
    for (const [at, { one, drawn }] of drawings.entries()) {
      one.dataset.drawing = String(at)
      one.style.width = `${drawn}px`
    }
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== styles)
      for (const { one } of drawings) {
        one.dataset.drawing = ''
        one.style.width = ''
      }
    }
  }
}

/** Prints the active pane whenever the browser prints, even by its own shortcut. Returns a function that stops it. */
export function printPanes(): () => void {
  const paper = matchMedia('print')
  const changed = () => (paper.matches ? begin() : end?.())
  const ended = () => end?.()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', ended)
  paper.addEventListener('change', changed)
  return () => {
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', ended)
    paper.removeEventListener('change', changed)
    end?.()
  }
}
