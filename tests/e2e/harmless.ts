import type { Page } from '@playwright/test'
import { troubles } from './troubles.ts'

/** Collects signs that injected text ran, or that something moved out of place. */
export function watch(page: Page): string[] {
  const heard = troubles(page)
  page.on('dialog', (dialog) => {
    heard.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => heard.push(`a window: ${popup.url()}`))
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') heard.push(`a request to ${hostname}`)
  })
  return heard
}

/** What is wrong with the page: injected text that ran, became an element or a link, or is misplaced or reversed. */
export const wrong = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const report = (what: string, element: Element) =>
      found.push(
        `${what}: ${element.cloneNode(false) instanceof Element ? (element.cloneNode(false) as Element).outerHTML.slice(0, 160) : ''} “${(element.textContent ?? '').slice(0, 50)}”`,
      )
    if ('__pwned' in window) found.push('something ran')
    const everything = [...document.querySelectorAll<HTMLElement>('*')]
    for (const element of everything) {
      if (element.matches('iframe, object, embed, base, details[ontoggle], math, body style'))
        report('an element of theirs', element)
      if (element.matches('script') && new URL((element as HTMLScriptElement).src, 'x:/').origin !== location.origin)
        report('a script', element)
      if (element.matches('img') && !/^(blob:|data:image\/|\/)/.test(element.getAttribute('src') ?? ''))
        report('a picture', element)
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) report(`an attribute ${name}`, element)
        if (
          /^(href|src|action|formaction|xlink:href|data|srcdoc)$/i.test(name) &&
          !/^(https?:|mailto:|tel:|blob:|data:image\/|\/|#|\?)/i.test(value)
        )
          report(`a link to ${value.slice(0, 40)}`, element)
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`)
    const clips = (element: Element) =>
      getComputedStyle(element).overflowX !== 'visible' || /strict|content|paint/.test(getComputedStyle(element).contain)
    const boxes = document.querySelectorAll<HTMLElement>(
      'section[role=tabpanel]:not([inert]), [role=dialog], header, footer, [data-sonner-toast], aside, nav',
    )
    for (const box of boxes) {
      const edge = box.getBoundingClientRect().right + 1
      for (const element of box.querySelectorAll<HTMLElement>('*')) {
        if (element.getBoundingClientRect().right <= edge || !element.textContent || element.closest('.sr-only')) continue
        let above = element.parentElement
        while (above && above !== box && !clips(above)) above = above.parentElement
        if (above === box) report('wider than its pane', element)
      }
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible')
        report(`scrolls sideways (${box.scrollWidth} in ${box.clientWidth})`, box)
    }
    for (const shown of document.querySelectorAll('section:not([inert])')) {
      const rows = [...shown.querySelectorAll('[role=row][id]')]
      const heights = new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))
      if (heights.size > 1) found.push(`rows of ${[...heights].join(' and ')} px`)
    }
    // Latin letters in an element of their own run left to right, whatever is beside them.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? ''
      const at = text.search(/[A-Za-z0-9][A-Za-z]/)
      if (at < 0 || /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)) continue
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      const one = range.getBoundingClientRect()
      range.setStart(node, at + 1)
      range.setEnd(node, at + 2)
      const two = range.getBoundingClientRect()
      if (one.width && two.width && one.top === two.top && two.left < one.left) report('turned round', node.parentElement!)
    }
    // An unclosed direction mark reverses the rest of the line.
    const open = /[\u202a-\u202e\u2066-\u2068]/
    for (const element of document.body.querySelectorAll('*')) {
      const own = [...element.childNodes].filter((node) => (node.textContent ?? '').trim() !== '')
      const at = own.findIndex((node) => node.nodeType === Node.TEXT_NODE && open.test(node.textContent ?? ''))
      const text = own[at]?.textContent ?? ''
      const isBox = element.matches('textarea, title, option, [role=option] *')
      if (at >= 0 && !isBox && (at < own.length - 1 || /[\u202a-\u202e\u2066-\u2068][^\u2069]* (·|–|→) /.test(text)))
        report('turns what follows', element)
    }
    if (/native code|\[object Object\]/.test(document.body.textContent)) found.push('something of the language is shown')
    const controls = /[\u202a-\u202e\u2066-\u2069]/
    if (controls.test(document.title)) found.push(`the title turns round: ${JSON.stringify(document.title)}`)
    for (const message of document.querySelectorAll(
      '[data-sonner-toast] [data-title], [role=dialog] h2, [role=dialog] [data-review-text] p, [role=dialog] [data-told]',
    ))
      if (controls.test(message.textContent ?? '')) report('a sentence that turns round', message)
    return [...new Set(found)].slice(0, 12)
  })

/** What `wrong` misses on a page with one fault of each kind; must be empty. */
export async function seesFaults(page: Page): Promise<string[]> {
  const faults: Record<string, string> = {
    'an element of theirs': '<iframe></iframe>',
    'a picture': '<img src="data:,x">',
    'an attribute onfocus': '<i onfocus="0"></i>',
    'a link to javascript': '<a href="javascript:0">x</a>',
    'wider than its pane': '<div data-style="position:relative;left:2000px;width:50px">wide</div>',
    'turns what follows': '<p>“<i></i>\u202eabc” said</p>'.replace('” said', '<i>” said</i>'),
    'something of the language': '<p>function Object() { [native code] }</p>',
    'turned round': '<p>\u202eabc <i data-style="unicode-bidi:normal">neighbour</i></p>',
  }
  const blind: string[] = []
  for (const [name, html] of Object.entries(faults)) {
    await page.evaluate((html) => {
      const box = document.createElement('div')
      box.id = 'fault'
      box.innerHTML = html
      document.querySelector('section[role=tabpanel]:not([inert])')!.append(box)
      for (const element of box.querySelectorAll<HTMLElement>('[data-style]')) element.style.cssText = element.dataset.style!
    }, html)
    if (!(await wrong(page)).some((line) => line.startsWith(name))) blind.push(name)
    await page.evaluate(() => document.querySelector('#fault')!.remove())
  }
  return blind
}
