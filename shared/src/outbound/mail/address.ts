/** Whether `text` is a single plain e-mail address, without name, comment or quotes. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s<>()[\],;:\\"@]+@[\w-]+(\.[\w-]+)*$/.test(text);
