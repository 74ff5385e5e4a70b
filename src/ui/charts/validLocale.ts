/* uPlot formats numbers in the browser's language when it loads, and throws for one like en-US@posix. */

try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
