/** The state of a draft's file on the disk, as text next to its path. */
export interface FileNote {
  text: string;
  /** Whether the user should check it before a receiver is sent to the file. */
  isWarning: boolean;
}
