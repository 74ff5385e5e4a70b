/* Runs before the page: a browser that lacks what the page needs shows a sentence instead. In syntax of 2015. */
;(() => {
  var able =
    typeof Map.groupBy === 'function' &&
    typeof URL.canParse === 'function' &&
    typeof AbortSignal === 'function' &&
    typeof AbortSignal.any === 'function' &&
    typeof CSS === 'object' &&
    CSS.supports('selector(:popover-open)') &&
    CSS.supports('color', 'color-mix(in oklab, red, blue)')
  if (able) return
  var root = document.getElementById('root')
  // Without its root, the page's own script stops before it draws.
  if (root) root.parentNode.removeChild(root)
  var text = document.createElement('p')
  text.setAttribute('role', 'alert')
  text.style.cssText = 'max-width: 32em; margin: 20vh auto; padding: 0 1.5em; font: 16px/1.5 sans-serif'
  text.textContent =
    'This page needs a newer browser: Chrome or Edge 120, Firefox 125, Safari 17.4, or a later one. Please update yours, or open the page in another.'
  document.body.appendChild(text)
})()
