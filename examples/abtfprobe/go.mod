module abtfprobe

go 1.19
