/** What is known of a draft's file on the disk, in words beside its path. */
export interface FileNote {
  text: string;
  /** Whether somebody should look at it before the file is named to a receiver. */
  isWarning: boolean;
}
