/** The most characters of a message in a conversation. */
export const MESSAGE_MOST = 5000
