module genvalues/tools/contract

go 1.22
