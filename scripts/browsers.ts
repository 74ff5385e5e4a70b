/** The oldest browsers that have what the pages use, as build targets; public/older-browser.js tells older ones. */
export const BROWSERS = ['chrome120', 'edge120', 'firefox125', 'safari17.4']
